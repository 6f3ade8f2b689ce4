// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/fixed-entropy.h"

#include "ns3/entropy-paths.h"
#include "ns3/register-type.h"

namespace ns3::rdma
{

RDMA_REGISTER_CLASS(FixedEntropy, EntropySelector, "RdmaNic");

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
