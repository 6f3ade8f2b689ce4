// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/flow-kind.h"
#include "ns3/poisson-workload.h"
#include "ns3/quantity.h"
#include "ns3/scenario-file.h"
#include "ns3/server-group.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace ns3::rdma
{

/// Workload type "poisson".
class PoissonKind : public FlowKind
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::PoissonKind")
                                .SetParent<FlowKind>()
                                .SetGroupName("RdmaExperiment")
                                .AddConstructor<PoissonKind>();
        return tid;
    }

    std::optional<Time> GetDuration() const override
    {
        return m_duration;
    }

    bool IsUniform() const override
    {
        return m_sources.empty() && m_destinations.empty();
    }

  protected:
    KindInfo GetFlowInfo() const override
    {
        return {"poisson",
                "flows of random size at random times, between all servers or from group to group",
                {"sizes", "load", "duration", "sources", "destinations"},
                {"sizes"}};
    }

    void ReadFlows(const JsonValue& value, const Scenario& scenario) override
    {
        m_sizes = value.Get("sizes").GetString();
        const JsonValue load = value.Get("load");
        m_load = load.GetNumber();
        if (m_load <= 0 || m_load > 1)
        {
            load.Fail("a load above 0 and at most 1");
        }
        m_duration = value.Get("duration").GetPositiveTime();
        const auto readGroup = [&value, &scenario](const char* key) {
            const auto member = value.Find(key);
            return member ? ReadGroupName(*member, scenario.groups) : "";
        };
        m_sources = readGroup("sources");
        m_destinations = readGroup("destinations");
    }

    void WriteFlows(nlohmann::ordered_json& json) const override
    {
        json["sizes"] = m_sizes;
        json["load"] = m_load;
        json["duration"] = FormatTime(m_duration);
        if (!m_sources.empty())
        {
            json["sources"] = m_sources;
        }
        if (!m_destinations.empty())
        {
            json["destinations"] = m_destinations;
        }
    }

    std::unique_ptr<FlowSource> MakeFlows(const Scenario& scenario,
                                          const TopologyGraph& topology) const override
    {
        const FlowSizeCdf sizes =
            FlowSizeCdf::Read(FindFile(scenario, m_sizes, GetPath() + ".sizes"));
        const PoissonParameters parameters{m_load,
                                           m_duration,
                                           GetSeed(scenario),
                                           FindMembers(scenario.groups, m_sources),
                                           FindMembers(scenario.groups, m_destinations)};
        return AtPlace(scenario.file, GetPath() + ": ", [&] {
            return std::make_unique<PoissonWorkload>(topology, sizes, parameters);
        });
    }

    FlowTargets FindTargets(const Scenario& scenario, const TopologyGraph& topology) const override
    {
        const std::vector<uint32_t> servers = m_destinations.empty()
                                                  ? topology.GetServers()
                                                  : FindMembers(scenario.groups, m_destinations);
        const FlowSizeCdf sizes =
            FlowSizeCdf::Read(FindFile(scenario, m_sizes, GetPath() + ".sizes"));
        return {{servers.begin(), servers.end()}, sizes.GetQuantile(std::nextafter(1.0, 0.0))};
    }

  private:
    std::string m_sizes;        ///< Flow size CDF, a path relative to the scenario file.
    double m_load{0};           ///< Share of the server's link rate, (0, 1].
    Time m_duration;            ///< Arrivals stop after this time.
    std::string m_sources;      ///< Group of the senders; empty: all servers.
    std::string m_destinations; ///< Group of the receivers; empty: all servers.
};

NS_OBJECT_ENSURE_REGISTERED(PoissonKind);

} // namespace ns3::rdma
