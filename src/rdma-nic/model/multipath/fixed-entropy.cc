// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/fixed-entropy.h"

#include "ns3/entropy-paths.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(FixedEntropy);

TypeId
FixedEntropy::GetTypeId()
{
    static TypeId tid = TypeId("ns3::rdma::FixedEntropy")
                            .SetParent<EntropySelector>()
                            .SetGroupName("RdmaNic")
                            .AddConstructor<FixedEntropy>();
    return tid;
}

void
FixedEntropy::Start(const EntropyFacts& facts)
{
    RandomStream random = facts.random;
    m_value = random.NextBelow(ENTROPY_VALUES);
}

uint32_t
FixedEntropy::GetNext(uint64_t, Time)
{
    return m_value;
}

} // namespace ns3::rdma
