// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/fabric-shape-keys.h"
#include "ns3/rail-topology.h"
#include "ns3/scenario-file.h"
#include "ns3/server-ports.h"
#include "ns3/topology-kind.h"

namespace ns3::rdma
{

/// Topology "rail".
class RailKind : public TopologyKind
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::RailKind")
                                .SetParent<TopologyKind>()
                                .SetGroupName("RdmaExperiment")
                                .AddConstructor<RailKind>();
        return tid;
    }

    KindInfo GetInfo() const override
    {
        return {"rail",
                "servers of several NICs: NIC i at rail switch i of its group, spines above"};
    }

    void Visit(Keys& keys) override
    {
        keys.Count("groups", m_links.groups, "groups of servers that share rail switches")
            .Between(1U, MAX_NODES)
            .Required();
        keys.Count("serversPerGroup", m_links.serversPerGroup, "servers of each group")
            .Between(1U, MAX_NODES)
            .Required();
        keys.Count("rails", m_links.rails, "NICs of each server, and rail switches of each group")
            .Between(1U, ServerPorts::MAX_NICS)
            .Required();
        keys.Count("spines", m_links.spines, "number of spines").Between(1U, MAX_NODES).Required();
        keys.Count("linksPerSpine",
                   m_links.linksPerSpine,
                   "links between each rail switch and each spine")
            .Between(1U, MAX_NODES);
        m_hosts.VisitRate(keys);
        keys.Rate("spineRate", m_links.spineRate, m_hosts.rate, "rate of links to spines")
            .Otherwise("hostRate");
        m_hosts.VisitDelay(keys);
        keys.Time("spineDelay",
                  m_links.spineDelay,
                  m_hosts.delay,
                  "propagation delay of links to spines")
            .Otherwise("linkDelay");
    }

    void Resolve(const JsonValue& value) override
    {
        m_links.hostRate = m_hosts.rate;
        m_links.hostDelay = m_hosts.delay;
        CheckOwnNics(value);
    }

    TopologyGraph Make(const Scenario& scenario) const override
    {
        return AtPlace(scenario.file, "$.fabric: ", [this] { return MakeRail(m_links); });
    }

  private:
    RailParameters m_links; ///< The links of hosts from Resolve() on.
    HostLinkKeys m_hosts;
};

NS_OBJECT_ENSURE_REGISTERED(RailKind);

} // namespace ns3::rdma
