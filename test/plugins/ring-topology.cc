// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/topology-kind.h"

namespace ns3::rdma
{

/// Topology "ring": switches in a ring, a server at each.
class RingTopologyKind : public TopologyKind
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::RingTopologyKind")
                                .SetParent<TopologyKind>()
                                .AddConstructor<RingTopologyKind>();
        return tid;
    }

    KindInfo GetInfo() const override
    {
        return {"ring", "switches in a ring, a server at each"};
    }

    void Visit(Keys& keys) override
    {
        keys.Count("servers", m_servers, "number of servers").Between(3U, MAX_NODES).Required();
        m_links.VisitRate(keys);
        m_links.VisitDelay(keys);
    }

    TopologyGraph Make(const Scenario&) const override
    {
        TopologyGraph graph;
        graph.isSwitch.assign(m_servers, false);
        graph.isSwitch.resize(2 * m_servers, true);
        for (uint32_t server = 0; server < m_servers; ++server)
        {
            const uint32_t own = m_servers + server;
            const uint32_t next = m_servers + (server + 1) % m_servers;
            graph.links.push_back({server, own, m_links.rate, m_links.delay});
            graph.links.push_back({own, next, m_links.rate, m_links.delay});
        }
        return graph;
    }

  private:
    uint32_t m_servers{0};
    HostLinkKeys m_links;
};

NS_OBJECT_ENSURE_REGISTERED(RingTopologyKind);

} // namespace ns3::rdma
