// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/scenario-file.h"
#include "ns3/simple-topologies.h"
#include "ns3/topology-kind.h"

namespace ns3::rdma
{

/// Topology "star".
class StarKind : public TopologyKind
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::StarKind")
                                .SetParent<TopologyKind>()
                                .SetGroupName("RdmaExperiment")
                                .AddConstructor<StarKind>();
        return tid;
    }

    KindInfo GetInfo() const override
    {
        return {"star", "servers around one switch"};
    }

    void Visit(Keys& keys) override
    {
        keys.Count("servers", m_servers, "number of servers").Between(2U, MAX_NODES).Required();
        m_hosts.VisitRate(keys);
        m_hosts.VisitDelay(keys);
    }

    TopologyGraph Make(const Scenario& scenario) const override
    {
        return AtPlace(scenario.file, "$.fabric: ", [this] {
            return MakeStar(m_servers, m_hosts.rate, m_hosts.delay);
        });
    }

  private:
    uint32_t m_servers{0};
    HostLinkKeys m_hosts;
};

NS_OBJECT_ENSURE_REGISTERED(StarKind);

} // namespace ns3::rdma
