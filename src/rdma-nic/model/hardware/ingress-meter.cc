// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ingress-meter.h"

#include "ns3/type-attributes.h"
#include "ns3/verbs-error.h"
#include "ns3/wide-integer.h"

#include <algorithm>
#include <cmath>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(IngressMeter);

namespace
{
constexpr uint64_t SMALLEST_CAPACITY{16384}; ///< A frame of any MTU that Ethernet has.
constexpr uint64_t LEAST_DRAIN{1'000'000};   ///< Bit/s.
} // namespace

TypeId
IngressMeter::GetTypeId()
{
    static TypeId tid =
        TypeAttributes::Of<IngressMeter, Object>("ns3::rdma::IngressMeter", "RdmaNic")
            .Add("Rate",
                 Member(&IngressMeter::m_rate, DataRate("94Gbps"), LEAST_DRAIN),
                 "Rate of one sender, Ethernet header to FCS, above which it loses "
                 "frames (94 Gb/s: measured on ConnectX-5, simllm 2026)")
            .Add("Capacity",
                 Member(&IngressMeter::m_capacityBytes, 0, 0, uint64_t{1} << 40),
                 "Bytes that a sender may be ahead of Rate before it loses frames, 16384 or "
                 "more; 0: there is no meter (512 KiB: bursts of 8 MiB with pauses of 100 us lost "
                 "nothing on ConnectX-5, simllm 2026)")
            .Add("StallInterval",
                 Member(&IngressMeter::m_stallInterval,
                        MicroSeconds(52300),
                        MicroSeconds(1),
                        Seconds(1000)),
                 "Mean time that a sender above Rate takes to the next stall (52.3 ms: 0.1798 % of "
                 "the time at line rate, measured on ConnectX-5, simllm 2026)")
            .Add("StallDuration",
                 Member(&IngressMeter::m_stallDuration, MicroSeconds(94), Time(0), Seconds(1)),
                 "Time of a stall (94 us: measured on ConnectX-5, simllm 2026)")
            .Add(
                "StallLoss",
                Member(&IngressMeter::m_stallLoss, 1, 0, 1),
                "Probability that a frame of a stall is discarded (1: 94 us of 100 Gb/s are 4 x 70 "
                "frames, 73 of each of four queue pairs were lost, simllm 2026)");
    return tid;
}

std::string
IngressMeter::FindFault() const
{
    if (m_capacityBytes > 0 && m_capacityBytes < SMALLEST_CAPACITY)
    {
        return "ns3::rdma::IngressMeter::Capacity: expected 0 or at least " +
               std::to_string(SMALLEST_CAPACITY) + ", got " + std::to_string(m_capacityBytes);
    }
    return {};
}

void
IngressMeter::Start(RandomStream random)
{
    if (const std::string fault = FindFault(); !fault.empty())
    {
        throw VerbsError(fault);
    }
    m_random = random;
    m_drain = SerializationRate(m_rate);
    m_capacityTime = m_drain.GetDuration(m_capacityBytes);
}

bool
IngressMeter::Admit(Tick now, uint32_t sender, uint32_t frameBytes)
{
    if (sender >= m_buckets.size())
    {
        m_buckets.resize(sender + 1);
    }
    Bucket& bucket = m_buckets[sender];
    ++m_stats.frames;
    // Draining begins with the first bit: a frame that arrives at an empty bucket adds nothing.
    const Tick own = m_drain.GetDuration(frameBytes);
    bucket.emptyAt = std::max(bucket.emptyAt + own, now);
    if (bucket.emptyAt - now < m_capacityTime)
    {
        bucket.fullSince = 0;
    }
    else
    {
        bucket.emptyAt = now + m_capacityTime;
        OnFull(bucket, now);
    }
    m_peakTime = std::max(m_peakTime, bucket.emptyAt - now);
    if (now < bucket.stallEnd && m_random.NextDouble() < m_stallLoss)
    {
        ++m_stats.discards;
        return false;
    }
    return true;
}

void
IngressMeter::OnFull(Bucket& bucket, Tick now)
{
    if (!bucket.hasTimeToStall)
    {
        bucket.timeToStall = DrawTimeToStall();
        bucket.hasTimeToStall = true;
    }
    if (bucket.fullSince > 0)
    {
        bucket.timeToStall -= now - bucket.fullSince;
    }
    bucket.fullSince = now;
    if (bucket.timeToStall <= 0)
    {
        bucket.stallEnd = now + m_stallDuration;
        bucket.timeToStall = DrawTimeToStall();
        ++m_stats.stalls;
    }
}

Tick
IngressMeter::DrawTimeToStall()
{
    const auto mean = static_cast<double>(ToTick(m_stallInterval));
    return static_cast<Tick>(-std::log1p(-m_random.NextDouble()) * mean);
}

IngressStats
IngressMeter::GetStats() const
{
    IngressStats stats = m_stats;
    // Rounded, since a duration is truncated to whole picoseconds.
    const auto bits = static_cast<Uint128>(m_peakTime) * m_rate.GetBitRate();
    stats.peakBytes = static_cast<uint64_t>((bits + BIT_PS_PER_BYTE / 2) / BIT_PS_PER_BYTE);
    return stats;
}

} // namespace ns3::rdma
