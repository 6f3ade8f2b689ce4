// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/walking-entropy.h"

#include "ns3/entropy-paths.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(WalkingEntropy);

TypeId
WalkingEntropy::GetTypeId()
{
    static TypeId tid =
        TypeAttributes(TypeId("ns3::rdma::WalkingEntropy")
                           .SetParent<EntropySelector>()
                           .SetGroupName("RdmaNic"))
            .Add("Paths",
                 Member(&WalkingEntropy::m_paths, 128, 1, ENTROPY_VALUES),
                 "Entropy values of a queue pair, a power of two (128: runs of uet-htsim, whose "
                 "default is 64)");
    return tid;
}

void
WalkingEntropy::NotifyConstructionCompleted()
{
    EntropySelector::NotifyConstructionCompleted();
    ExpectPowerOfTwo("ns3::rdma::WalkingEntropy::Paths", m_paths);
}

void
WalkingEntropy::Start(const EntropyFacts& facts)
{
    m_random = facts.random;
    m_upperBits = DrawBelow(ENTROPY_VALUES) & ~(m_paths - 1);
    m_mask = DrawBelow(m_paths);
    m_place = 0;
}

uint32_t
WalkingEntropy::Step()
{
    if (m_place == m_paths)
    {
        m_place = 0;
        m_mask = DrawBelow(m_paths);
    }
    return m_upperBits | (m_place++ ^ m_mask);
}

uint32_t
WalkingEntropy::DrawBelow(uint32_t count)
{
    return m_random.NextBelow(count);
}

} // namespace ns3::rdma
