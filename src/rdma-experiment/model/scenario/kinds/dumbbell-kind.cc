// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/scenario-file.h"
#include "ns3/simple-topologies.h"
#include "ns3/topology-kind.h"

namespace ns3::rdma
{

/// Topology "dumbbell".
class DumbbellKind : public TopologyKind
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::DumbbellKind")
                                .SetParent<TopologyKind>()
                                .SetGroupName("RdmaExperiment")
                                .AddConstructor<DumbbellKind>();
        return tid;
    }

    KindInfo GetInfo() const override
    {
        return {"dumbbell", "servers on each side of a link between two switches"};
    }

    void Visit(Keys& keys) override
    {
        keys.Count("servers", m_servers, "servers of each side").Between(1U, MAX_NODES).Required();
        m_hosts.VisitRate(keys);
        keys.Rate("bottleneckRate", m_bottleneckRate, m_hosts.rate, "rate between the two switches")
            .Otherwise("hostRate");
        m_hosts.VisitDelay(keys);
    }

    TopologyGraph Make(const Scenario& scenario) const override
    {
        return AtPlace(scenario.file, "$.fabric: ", [this] {
            return MakeDumbbell({m_servers, m_hosts.rate, m_bottleneckRate, m_hosts.delay});
        });
    }

  private:
    uint32_t m_servers{0}; ///< Of each side.
    HostLinkKeys m_hosts;
    DataRate m_bottleneckRate; ///< Between the two switches.
};

NS_OBJECT_ENSURE_REGISTERED(DumbbellKind);

} // namespace ns3::rdma
