// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/spray-balancer.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(SprayBalancer);

TypeId
SprayBalancer::GetTypeId()
{
    static TypeId tid = TypeId("ns3::rdma::SprayBalancer")
                            .SetParent<LoadBalancer>()
                            .SetGroupName("RdmaFabric")
                            .AddConstructor<SprayBalancer>();
    return tid;
}

void
SprayBalancer::Start(const SwitchView& view)
{
    m_random = RandomStream(view.seed, 0);
}

uint32_t
SprayBalancer::Choose(Frame&, const PortChoice& choice, Tick)
{
    return m_random.NextBelow(choice.count);
}

} // namespace ns3::rdma
