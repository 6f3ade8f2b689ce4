// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/mixed-entropy.h"

#include <algorithm>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(MixedEntropy);

namespace
{
/// First size of the list.
constexpr std::size_t LEAST_GOOD{16};
} // namespace

TypeId
MixedEntropy::GetTypeId()
{
    static TypeId tid = TypeId("ns3::rdma::MixedEntropy")
                            .SetParent<BitmapEntropy>()
                            .SetGroupName("RdmaNic")
                            .AddConstructor<MixedEntropy>();
    return tid;
}

void
MixedEntropy::Start(const EntropyFacts& facts)
{
    BitmapEntropy::Start(facts);
    m_good.assign(LEAST_GOOD, 0);
    m_first = 0;
    m_count = 0;
}

uint32_t
MixedEntropy::GetNext(uint64_t inFlightBytes, Time now)
{
    if (m_count == 0)
    {
        return BitmapEntropy::GetNext(inFlightBytes, now);
    }
    const uint32_t entropy = m_good[m_first];
    m_first = (m_first + 1) & static_cast<uint32_t>(m_good.size() - 1);
    --m_count;
    return entropy;
}

void
MixedEntropy::OnFeedback(uint32_t entropy, RouteSignal signal, Time now)
{
    BitmapEntropy::OnFeedback(entropy, signal, now);
    if (signal != RouteSignal::GOOD)
    {
        return;
    }
    if (m_count == m_good.size())
    {
        Grow();
    }
    m_good[(m_first + m_count) & (m_good.size() - 1)] = entropy;
    ++m_count;
}

void
MixedEntropy::Grow()
{
    std::rotate(m_good.begin(), m_good.begin() + m_first, m_good.end());
    m_first = 0;
    m_good.resize(m_good.size() * 2);
}

} // namespace ns3::rdma
