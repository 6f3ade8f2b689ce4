// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_WORKLOAD_LIST_FIXTURE_H
#define RDMA_WORKLOAD_LIST_FIXTURE_H

#include "run-fixture.h"

#include "ns3/run-summary.h"
#include "ns3/scenario-builder.h"
#include "ns3/workload-keys.h"

#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

namespace ns3::rdma
{

/// Scenarios with a list of workloads on a star of 8 servers.
class WorkloadListTest : public FolderTest
{
  protected:
    using Json = nlohmann::json;

    /// Source, destination, bytes, start in ps.
    using Arrival = std::tuple<uint32_t, uint32_t, uint64_t, int64_t>;

    static inline const Json POISSON{{"name", "background"},
                                     {"type", "poisson"},
                                     {"sizes", "sizes.cdf"},
                                     {"load", 0.3},
                                     {"duration", "100us"}};
    static inline const Json INCAST{{"name", "incast"},
                                    {"type", "incast"},
                                    {"senders", 5},
                                    {"bytes", "20kB"},
                                    {"at", "10us"},
                                    {"period", "30us"},
                                    {"repeats", 2}};
    static inline const Json GRAPH{
        {"name", "ring"},
        {"type", "graph"},
        {"operations",
         {{{"id", "a"}, {"src", 0}, {"dst", 1}, {"bytes", 5000}},
          {{"id", "b"}, {"src", 1}, {"dst", 2}, {"bytes", 5000}, {"after", {"a"}}},
          {{"id", "c"}, {"src", 2}, {"dst", 3}, {"bytes", 5000}, {"after", {"b"}}}}}};
    static inline const Json GETS{{"name", "gets"},
                                  {"type", "rpc"},
                                  {"clients", "clients"},
                                  {"servers", "stores"},
                                  {"request", "read"},
                                  {"keys", 100},
                                  {"valueBytes", "64B"},
                                  {"duration", "60us"}};

    WorkloadListTest()
    {
        WriteFile("sizes.cdf", "1000 0\n20000 100\n");
    }

    static Json MakeJson(const std::vector<Json>& workloads)
    {
        return {
            {"name", "list"},
            {"fabric",
             {{"topology", "star"}, {"servers", 8}, {"hostRate", "100Gbps"}, {"linkDelay", "1us"}}},
            {"groups", {{"stores", {{0, 0}, {1, 1}}}, {"clients", {{6, 6}, {7, 7}}}}},
            {"nics", {"irn"}},
            {"workloads", workloads}};
    }

    Scenario ReadList(const std::vector<Json>& workloads, const Json& run = Json::object()) const
    {
        Json json = MakeJson(workloads);
        json["run"] = run;
        return Read(json.dump());
    }

    /// @return the arrivals of the flows of each workload, by name.
    static std::map<std::string, std::vector<Arrival>> FindArrivals(const Scenario& scenario)
    {
        std::map<std::string, std::vector<Arrival>> found;
        const TopologyGraph graph = MakeTopology(scenario);
        const auto flows = MakeFlowSource(scenario, graph);
        int64_t last = 0;
        while (const auto flow = flows->Next())
        {
            EXPECT_GE(flow->startPs, last);
            last = flow->startPs;
            found[GetWorkloadNames(scenario)[flow->workload]].emplace_back(flow->src,
                                                                           flow->dst,
                                                                           flow->bytes,
                                                                           flow->startPs);
        }
        return found;
    }

    /// @return rows of flows.csv that begin with the name of a workload, by number of the flow.
    static std::map<int, std::string> FindRows(const std::string& flows, const std::string& name)
    {
        std::map<int, std::string> rows;
        std::istringstream text(flows);
        for (std::string line; std::getline(text, line);)
        {
            if (line.rfind(name + ",", 0) == 0)
            {
                const std::string rest = line.substr(name.size() + 1);
                rows[std::stoi(rest)] = rest;
            }
        }
        return rows;
    }

    /// Runs the first NIC with names of workloads in its log.
    struct Outcome
    {
        std::string flows;
        Json summary;
        RunReport report;
    };

    static Outcome Run(const Scenario& scenario)
    {
        std::ostringstream flows;
        FlowLog log(flows, GetWorkloadNames(scenario));
        SimulationRun run(scenario, scenario.nics.front());
        Outcome outcome;
        outcome.report = run.Run(log, [](const RunProgress&) { return true; });
        outcome.flows = flows.str();
        outcome.summary = Json::parse(WriteSummary(outcome.report, log));
        return outcome;
    }

    static Json With(Json workload, const Json& changes)
    {
        workload.update(changes);
        return workload;
    }
};

} // namespace ns3::rdma

#endif // RDMA_WORKLOAD_LIST_FIXTURE_H
