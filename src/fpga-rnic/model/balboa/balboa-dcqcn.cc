// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/balboa-dcqcn.h"

#include "ns3/header-sizes.h"
#include "ns3/type-attributes.h"

#include <algorithm>
#include <array>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(BalboaDcqcn);

namespace
{
/// Growth of the period by one mark, in 1/128.
constexpr std::array<uint32_t, 29> GROWTH{256, 241, 228, 218, 209, 201, 194, 188, 182, 178,
                                          173, 170, 166, 163, 161, 158, 156, 154, 152, 150,
                                          148, 147, 146, 144, 143, 142, 141, 140, 139};
constexpr uint32_t GROWTH_BITS{7};
constexpr uint32_t LONGEST_PERIOD{16384}; ///< A longer one does not grow.
constexpr uint32_t FCS_AND_GAP_BYTES{4 + 8 + 12};
constexpr Tick SHORTEST_CYCLE{100};      ///< 10 GHz.
constexpr Tick LONGEST_CYCLE{1'000'000}; ///< 1 MHz.
} // namespace

TypeId
BalboaDcqcn::GetTypeId()
{
    static TypeId tid =
        TypeAttributes::Of<BalboaDcqcn, CongestionControl>("ns3::rdma::BalboaDcqcn", "FpgaRnic")
            .Add("Cycle",
                 Member(&BalboaDcqcn::m_cycle, NanoSeconds(4), SHORTEST_CYCLE, LONGEST_CYCLE),
                 "Clock period (4 ns: BALBOA section 4)")
            .Add("FirstPeriod",
                 Member(&BalboaDcqcn::m_firstPeriod, 8192, 1, 65535),
                 "Cycles between packets at the start (8192: the unit's reset value; 1 Gb/s with "
                 "4096 bytes)")
            .Add("LeastPeriod",
                 Member(&BalboaDcqcn::m_leastPeriod, 200, 1, 65535),
                 "Cycles between packets at least, and the first target (200: the unit)")
            .Add("MarkInterval",
                 Member(&BalboaDcqcn::m_markInterval, MicroSeconds(50), Seconds(0), Seconds(1)),
                 "Shortest time between two marks that count (50 us: 12,500 cycles)")
            .Add(
                "AlphaInterval",
                Member(&BalboaDcqcn::m_alphaInterval, MicroSeconds(55), NanoSeconds(1), Seconds(1)),
                "Time without a mark after which the table of growth moves by one entry, so that "
                "the next mark lengthens the period by less (55 us: 13,750 cycles)")
            .Add("TimerPeriod",
                 Member(&BalboaDcqcn::m_timerPeriod, MicroSeconds(200), NanoSeconds(1), Seconds(1)),
                 "Period of the increase timer (200 us: 50,000 cycles)")
            .Add("AcksPerEvent",
                 Member(&BalboaDcqcn::m_acksPerEvent, 36, 1, 1 << 20),
                 "Acknowledgments of one increase event (36: the unit's counter passes 35)")
            .Add("FastRecovery",
                 Member(&BalboaDcqcn::m_fastRecovery, 5, 0, 7),
                 "Events of timer or counter before the target moves (5: the unit)")
            .Add("AdditiveIncrease",
                 Member(&BalboaDcqcn::m_additiveIncrease, 128, 1, 65535),
                 "Cycles by which the target falls (128: the unit)")
            .Add("Budget",
                 Member(&BalboaDcqcn::m_budgetBytes, 16 * 4096, 1),
                 "Payload that may be unacknowledged, bytes (AckClockedCredits)");
    return tid;
}

Feedback
BalboaDcqcn::GetNeededFeedback() const
{
    return Feedback::ECN_ECHO;
}

void
BalboaDcqcn::Start(const PathInfo& path, Time now)
{
    m_lineRate = path.lineRate;
    m_wireBytes = HeaderSizes().GetWriteFrame(false, path.mtuBytes) + FCS_AND_GAP_BYTES;
    m_period = m_firstPeriod;
    m_target = m_leastPeriod;
    m_markedAt = now;
    m_alphaFrom = now;
    m_timerAt = now + m_timerPeriod;
}

void
BalboaDcqcn::AdvanceAlpha(Time now)
{
    const int64_t steps = (now - m_alphaFrom).GetPicoSeconds() / m_alphaInterval.GetPicoSeconds();
    m_entry = static_cast<uint32_t>(std::min<int64_t>(m_entry + steps, GROWTH.size() - 1));
    m_alphaFrom += PicoSeconds(steps * m_alphaInterval.GetPicoSeconds());
}

void
BalboaDcqcn::OnMark(Time now)
{
    if (now - m_markedAt > m_markInterval)
    {
        m_target = m_period;
        m_period =
            m_period <= LONGEST_PERIOD ? (m_period * GROWTH.at(m_entry)) >> GROWTH_BITS : m_period;
        m_entry -= m_entry > 0;
        m_markedAt = now;
        m_timerAt = now + m_timerPeriod;
        m_acks = 0;
        m_timerEvents = 0;
        m_ackEvents = 0;
    }
    m_alphaFrom = now;
}

void
BalboaDcqcn::Increase()
{
    if (m_timerEvents >= m_fastRecovery || m_ackEvents >= m_fastRecovery)
    {
        m_target = m_target > m_additiveIncrease ? m_target - m_additiveIncrease : 1;
    }
    m_period = std::max((m_target + m_period) / 2, m_leastPeriod);
    m_target = std::max(m_target, m_leastPeriod);
}

void
BalboaDcqcn::OnAck(const AckEvent& ack)
{
    AdvanceAlpha(ack.now);
    ++m_acks;
    if (ack.isCeEchoed)
    {
        OnMark(ack.now);
    }
    if (m_acks >= m_acksPerEvent)
    {
        m_acks = 0;
        m_ackEvents = std::min(m_ackEvents + 1, m_fastRecovery);
        Increase();
    }
}

bool
BalboaDcqcn::NeedsOnSent() const
{
    return false;
}

void
BalboaDcqcn::OnDeadline(Time now)
{
    AdvanceAlpha(now);
    if (now >= m_timerAt)
    {
        m_timerAt = now + m_timerPeriod;
        m_timerEvents = std::min(m_timerEvents + 1, m_fastRecovery);
        Increase();
    }
}

SendLimit
BalboaDcqcn::GetLimit() const
{
    constexpr uint64_t BIT_PS{8'000'000'000'000};
    const auto periodPs = static_cast<uint64_t>(m_cycle.GetPicoSeconds()) * m_period;
    SendLimit limit;
    limit.rate = std::min(DataRate(m_wireBytes * BIT_PS / periodPs), m_lineRate);
    limit.windowBytes = m_budgetBytes;
    // At the least period an event changes nothing: no timer runs.
    const bool isFastest = m_period == m_leastPeriod && m_target == m_leastPeriod;
    limit.deadline = isFastest ? Time::Max() : m_timerAt;
    return limit;
}

} // namespace ns3::rdma
