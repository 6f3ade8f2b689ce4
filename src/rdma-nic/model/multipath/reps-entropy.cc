// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/reps-entropy.h"

#include "ns3/entropy-paths.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(RepsEntropy);

namespace
{
/// Packets that explore after a freeze (uet-htsim).
constexpr uint32_t EXPLORED_AFTER_FREEZE{16};
} // namespace

TypeId
RepsEntropy::GetTypeId()
{
    static TypeId tid =
        TypeAttributes::Of<RepsEntropy, EntropySelector>("ns3::rdma::RepsEntropy", "RdmaNic")
            .Add("Paths",
                 Member(&RepsEntropy::m_paths, 128, 1, ENTROPY_VALUES),
                 "Entropy values of a queue pair (128: runs of uet-htsim; arXiv 2407.21625: 65536)")
            .Add(
                "FreezeTime",
                Member(&RepsEntropy::m_freezeTime, MilliSeconds(10), NanoSeconds(1), Seconds(1000)),
                "Least duration of a freeze (10 ms: uet-htsim)")
            .Add("ExploresBdp",
                 Member(&RepsEntropy::m_exploresBdp, false),
                 "A bandwidth-delay product of packets explores at the start and after a freeze "
                 "(false: uet-htsim, 16 packets after a freeze; arXiv 2407.21625: true)")
            .Add("FreezesOnLoss",
                 Member(&RepsEntropy::m_freezesOnLoss, false),
                 "A lost packet freezes the ring as a timeout does (false: uet-htsim; arXiv "
                 "2407.21625: true)")
            .Add("OwnFrozenPointer",
                 Member(&RepsEntropy::m_hasFrozenPointer, true),
                 "Packets of a freeze read the ring by a pointer of their own (true: uet-htsim; "
                 "arXiv 2407.21625: false, by the pointer that good values are written at)");
    return tid;
}

void
RepsEntropy::Start(const EntropyFacts& facts)
{
    m_random = facts.random;
    m_bdpPackets = facts.bdpPackets;
    m_exploring = m_exploresBdp ? m_bdpPackets : 0;
}

uint32_t
RepsEntropy::GetNext(uint64_t, Time)
{
    if (m_exploring > 0)
    {
        --m_exploring;
        return DrawBelow(m_paths);
    }
    if (m_isFrozen && m_written != 0)
    {
        return TakeFrozen();
    }
    return m_valid != 0 ? TakeOldest() : DrawBelow(m_paths);
}

void
RepsEntropy::OnFeedback(uint32_t entropy, RouteSignal signal, Time now)
{
    if (m_isFrozen && now >= m_thawTime)
    {
        Thaw();
    }
    if (signal == RouteSignal::GOOD)
    {
        Keep(entropy);
        return;
    }
    const bool isFailure =
        signal == RouteSignal::TIMEOUT || (signal == RouteSignal::LOST && m_freezesOnLoss);
    if (isFailure && !m_isFrozen && m_exploring == 0)
    {
        m_isFrozen = true;
        m_thawTime = now + m_freezeTime;
    }
}

void
RepsEntropy::Keep(uint32_t entropy)
{
    const auto bit = static_cast<uint8_t>(1U << m_head);
    m_ring[m_head] = entropy;
    m_valid |= bit;
    m_written |= bit;
    m_head = (m_head + 1) % RING;
}

uint32_t
RepsEntropy::FindFirst(uint8_t places) const
{
    uint32_t place = m_head;
    while (((places >> place) & 1) == 0)
    {
        place = (place + 1) % RING;
    }
    return place;
}

uint32_t
RepsEntropy::TakeOldest()
{
    const uint32_t place = FindFirst(m_valid);
    m_valid &= static_cast<uint8_t>(~(1U << place));
    return m_ring[place];
}

uint32_t
RepsEntropy::TakeFrozen()
{
    const uint32_t place = m_hasFrozenPointer ? m_frozen : FindFirst(m_written);
    m_valid &= static_cast<uint8_t>(~(1U << place));
    if (m_hasFrozenPointer)
    {
        // The written places are the first ones until all are.
        const auto count = static_cast<uint32_t>(__builtin_popcount(m_written));
        m_frozen = static_cast<uint8_t>((place + 1) % count);
    }
    else
    {
        m_head = static_cast<uint8_t>((place + 1) % RING);
    }
    return m_ring[place];
}

void
RepsEntropy::Thaw()
{
    m_isFrozen = false;
    m_exploring = m_exploresBdp ? m_bdpPackets : EXPLORED_AFTER_FREEZE;
    if (!m_exploresBdp)
    {
        m_valid = 0;
        m_written = 0;
        m_head = 0;
        m_frozen = 0;
    }
}

uint32_t
RepsEntropy::DrawBelow(uint32_t count)
{
    return m_random.NextBelow(count);
}

} // namespace ns3::rdma
