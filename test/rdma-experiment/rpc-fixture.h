// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RPC_FIXTURE_H
#define RDMA_RPC_FIXTURE_H

#include "../test-files.h"
#include "run-fixture.h"

#include "ns3/rpc-report.h"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// Four clients and two servers with kernels at one switch, 3 requests of each client under way.
constexpr const char* GOOD_RPC_SCENARIO{R"({
  "name": "gets",
  "fabric": {"topology": "star", "servers": 6, "hostRate": "100Gbps", "linkDelay": "1us"},
  "groups": {"stores": [0, 1], "clients": [2, 5]},
  "nics": ["strom100g"],
  "kernels": {"stores": ["ns3::rdma::GetKernel", "ns3::rdma::TraversalKernel"]},
  "workload": {"type": "rpc", "clients": "clients", "servers": "stores", "request": "get-kernel",
               "outstanding": 3, "keys": 1000, "valueBytes": "256B", "duration": "100us"}
})"};

/// A test that runs a scenario with changes as --set makes them.
class ChangedScenarioTest : public FolderTest
{
  protected:
    explicit ChangedScenarioTest(const char* scenario)
        : m_scenario(scenario)
    {
    }

    /// @param sets as those of --set; "beside=WORKLOAD" puts another workload beside the first
    Scenario ReadWith(const std::vector<std::string>& sets) const
    {
        ScenarioChanges changes;
        auto json = nlohmann::json::parse(m_scenario);
        for (const std::string& set : sets)
        {
            if (set.rfind(BESIDE, 0) == 0)
            {
                json["workload"]["name"] = json["workload"]["type"];
                json["workloads"] = {json["workload"],
                                     nlohmann::json::parse(set.substr(BESIDE.size()))};
                json.erase("workload");
            }
        }
        for (const std::string& set : sets)
        {
            const bool isOfList = json.contains("workloads") && set.rfind("workload.", 0) == 0;
            if (set.rfind(BESIDE, 0) != 0)
            {
                changes.sets.push_back(isOfList ? "workloads[0]" + set.substr(8) : set);
            }
        }
        return Read(json.dump(), changes);
    }

    RunReport RunWith(const std::vector<std::string>& sets) const
    {
        const Scenario scenario = ReadWith(sets);
        return RunScenario(scenario, scenario.nics[0]).report;
    }

    /// @return what is wrong, without the name of the file.
    std::string FindFault(const std::string& set) const
    {
        const std::string file = (m_folder / "s.json").string();
        return GetInputError([&] { ReadWith({set}); }).substr(file.size() + 2);
    }

  private:
    inline static const std::string BESIDE{"beside="};

    const char* m_scenario;
};

/// Of GOOD_RPC_SCENARIO.
class RpcTest : public ChangedScenarioTest
{
  protected:
    RpcTest()
        : ChangedScenarioTest(GOOD_RPC_SCENARIO)
    {
    }

    Scenario ReadGets(const std::vector<std::string>& sets = {}) const
    {
        return ReadWith(sets);
    }

    RunReport RunGets(const std::vector<std::string>& sets = {}) const
    {
        return RunWith(sets);
    }
};

} // namespace ns3::rdma

#endif // RDMA_RPC_FIXTURE_H
