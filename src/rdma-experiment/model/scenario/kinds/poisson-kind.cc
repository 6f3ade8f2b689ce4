// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/flow-kind.h"
#include "ns3/poisson-workload.h"
#include "ns3/scenario-file.h"
#include "ns3/server-group.h"
#include "ns3/shipped-file.h"

#include <cmath>

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

    KindInfo GetInfo() const override
    {
        return {"poisson",
                "flows of random size at random times, between all servers or from group to group"};
    }

  protected:
    void VisitFlows(Keys& keys) override
    {
        keys.File("sizes",
                  m_sizes,
                  "distribution of flow sizes: a file (CDF), or one of list sizes")
            .Shipped(FlowSizeCdf::EXTENSION)
            .Required();
        keys.Number("load", m_load, "payload that a server sends, as share of its link rate")
            .Above(0)
            .AtMost(1.0)
            .Required();
        keys.Time("duration", m_duration, "flows start before this time").Positive().Required();
        keys.Group("sources", m_sources, "group of servers that send").Otherwise("all servers");
        keys.Group("destinations", m_destinations, "group of servers that receive")
            .Otherwise("all servers");
    }

    std::unique_ptr<FlowSource> MakeFlows(const Scenario& scenario,
                                          const TopologyGraph& topology) const override
    {
        const FlowSizeCdf sizes = ReadSizes(scenario);
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
        const FlowSizeCdf sizes = ReadSizes(scenario);
        return {{servers.begin(), servers.end()}, sizes.GetQuantile(std::nextafter(1.0, 0.0))};
    }

  private:
    FlowSizeCdf ReadSizes(const Scenario& scenario) const
    {
        return FlowSizeCdf::Read(
            FindFileOrShipped(scenario, m_sizes, FlowSizeCdf::EXTENSION, GetPath() + ".sizes"));
    }

    std::string m_sizes;        ///< Flow size CDF: a path relative to the scenario file, or a name.
    double m_load{0};           ///< Share of the server's link rate, (0, 1].
    Time m_duration;            ///< Arrivals stop after this time.
    std::string m_sources;      ///< Group of the senders; empty: all servers.
    std::string m_destinations; ///< Group of the receivers; empty: all servers.
};

NS_OBJECT_ENSURE_REGISTERED(PoissonKind);

} // namespace ns3::rdma
