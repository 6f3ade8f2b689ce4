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
    m_seed = static_cast<uint32_t>(view.seed ^ (view.seed >> 32));
}

bool
EcmpBalancer::IsStateless() const
{
    return true;
}

inline uint32_t
EcmpBalancer::Hash(uint32_t entropy, uint32_t count) const
{
    // Finaliser of MurmurHash3 (Appleby 2011): each input bit flips half of the output bits.
    uint32_t hash = entropy ^ m_seed;
    hash = (hash ^ (hash >> 16)) * 0x85ebca6bU;
    hash = (hash ^ (hash >> 13)) * 0xc2b2ae35U;
    hash ^= hash >> 16;
    return static_cast<uint32_t>((uint64_t{hash} * count) >> 32);
}

uint32_t
EcmpBalancer::Choose(Frame& frame, const PortChoice& choice, Tick)
{
    return Hash(frame.entropy, choice.count);
}

std::optional<uint32_t>
EcmpBalancer::ChooseForFlow(uint32_t entropy, uint32_t count) const
{
    return Hash(entropy, count);
}

} // namespace ns3::rdma
