// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ecmp-balancer.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(EcmpBalancer);

TypeId
EcmpBalancer::GetTypeId()
{
    static TypeId tid = TypeId("ns3::rdma::EcmpBalancer")
                            .SetParent<LoadBalancer>()
                            .SetGroupName("RdmaFabric")
                            .AddConstructor<EcmpBalancer>();
    return tid;
}

void
EcmpBalancer::Start(const SwitchView& view)
{
    m_hash.seed = static_cast<uint32_t>(view.seed ^ (view.seed >> 32));
}

bool
EcmpBalancer::IsStateless() const
{
    return true;
}

uint32_t
EcmpBalancer::Choose(Frame& frame, const PortChoice& choice, Tick)
{
    return m_hash.Choose(frame.entropy, choice.count);
}

std::optional<uint32_t>
EcmpBalancer::ChooseForFlow(uint32_t entropy, uint32_t count) const
{
    return m_hash.Choose(entropy, count);
}

} // namespace ns3::rdma
