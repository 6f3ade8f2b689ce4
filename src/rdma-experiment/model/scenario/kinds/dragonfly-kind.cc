// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/dragonfly-topology.h"
#include "ns3/scenario-file.h"
#include "ns3/topology-kind.h"

#include <algorithm>

namespace ns3::rdma
{

/// Topology "dragonfly".
class DragonflyKind : public TopologyKind
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::DragonflyKind")
                                .SetParent<TopologyKind>()
                                .SetGroupName("RdmaExperiment")
                                .AddConstructor<DragonflyKind>();
        return tid;
    }

    KindInfo GetInfo() const override
    {
        return {"dragonfly",
                "groups of a switches with p servers and h links to other groups each"};
    }

    void Visit(Keys& keys) override
    {
        keys.Count("a", m_links.a, "switches of each group").Between(1U, MAX_NODES).Required();
        keys.Count("p", m_links.p, "servers of each switch").Between(1U, MAX_NODES).Required();
        keys.Count("h", m_links.h, "links of each switch to other groups")
            .Between(1U, MAX_NODES)
            .Required();
        // More than MakeDragonfly() accepts is an error of that.
        const uint64_t most = m_links.GetMaxGroups();
        keys.Count("groups",
                   m_links.groups,
                   static_cast<uint32_t>(std::min<uint64_t>(most, UINT32_MAX)),
                   "number of groups, at most a h + 1")
            .AtLeast(2)
            .Otherwise("a h + 1");
        keys.Check(m_links.groups <= most,
                   "groups",
                   "a whole number from 2 to " + std::to_string(most));
        m_hosts.VisitRate(keys);
        keys.Rate("localRate", m_links.localRate, m_hosts.rate, "rate of links within a group")
            .Otherwise("hostRate");
        keys.Rate("globalRate", m_links.globalRate, m_hosts.rate, "rate of links between groups")
            .Otherwise("hostRate");
        m_hosts.VisitDelay(keys);
        keys.Time("globalDelay",
                  m_links.globalDelay,
                  m_hosts.delay,
                  "propagation delay of links between groups")
            .Otherwise("linkDelay");
    }

    void Resolve(const JsonValue&) override
    {
        m_links.hostRate = m_hosts.rate;
        m_links.localDelay = m_hosts.delay;
    }

    TopologyGraph Make(const Scenario& scenario) const override
    {
        return AtPlace(scenario.file, "$.fabric: ", [this] { return MakeDragonfly(m_links); });
    }

  private:
    DragonflyParameters m_links; ///< The links of hosts from Resolve() on.
    HostLinkKeys m_hosts;
};

NS_OBJECT_ENSURE_REGISTERED(DragonflyKind);

} // namespace ns3::rdma
