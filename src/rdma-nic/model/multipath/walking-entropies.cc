// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/walking-entropies.h"

#include "ns3/entropy-paths.h"
#include "ns3/register-type.h"

#include <algorithm>

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

RDMA_REGISTER_CLASS(ObliviousEntropy, WalkingEntropy, "RdmaNic");

uint32_t
ObliviousEntropy::GetNext(uint64_t, Time)
{
    return Step();
}

RDMA_REGISTER_CLASS(BitmapEntropy, WalkingEntropy, "RdmaNic");

namespace
{
/// Largest penalty of a value (uet-htsim).
constexpr uint32_t MOST_PENALTY{15};

/// @return the points that a signal adds (uet-htsim).
uint32_t
GetPoints(RouteSignal signal)
{
    switch (signal)
    {
    case RouteSignal::GOOD:
        return 0;
    case RouteSignal::MARKED:
        return 1;
    case RouteSignal::TRIMMED:
        return 4;
    default: // LOST, TIMEOUT
        return 15;
    }
}
} // namespace

void
BitmapEntropy::Start(const EntropyFacts& facts)
{
    WalkingEntropy::Start(facts);
    m_penalties.assign(CountPaths(), 0);
}

uint32_t
BitmapEntropy::GetNext(uint64_t, Time)
{
    uint32_t entropy = Step();
    for (uint32_t skipped = 0; skipped < CountPaths(); ++skipped)
    {
        uint8_t& penalty = m_penalties[GetNumber(entropy)];
        if (penalty == 0)
        {
            break;
        }
        penalty -= skipped == 0;
        entropy = Step();
    }
    return entropy;
}

void
BitmapEntropy::OnFeedback(uint32_t entropy, RouteSignal signal, Time)
{
    uint8_t& penalty = m_penalties[GetNumber(entropy)];
    penalty = static_cast<uint8_t>(std::min(penalty + GetPoints(signal), MOST_PENALTY));
}

RDMA_REGISTER_CLASS(MixedEntropy, BitmapEntropy, "RdmaNic");

namespace
{
/// First size of the list.
constexpr std::size_t LEAST_GOOD{16};
} // namespace

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
