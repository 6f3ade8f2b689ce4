// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/scenario-file.h"
#include "ns3/simple-topologies.h"
#include "ns3/topology-kind.h"

namespace ns3::rdma
{

/// Topology "back-to-back".
class BackToBackKind : public TopologyKind
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::BackToBackKind")
                                .SetParent<TopologyKind>()
                                .SetGroupName("RdmaExperiment")
                                .AddConstructor<BackToBackKind>();
        return tid;
    }

    KindInfo GetInfo() const override
    {
        return {"back-to-back", "two servers, one link"};
    }

    void Visit(Keys& keys) override
    {
        m_hosts.VisitRate(keys);
        m_hosts.VisitDelay(keys);
    }

    TopologyGraph Make(const Scenario&) const override
    {
        return MakeBackToBack(m_hosts.rate, m_hosts.delay);
    }

  private:
    HostLinkKeys m_hosts;
};

NS_OBJECT_ENSURE_REGISTERED(BackToBackKind);

} // namespace ns3::rdma
