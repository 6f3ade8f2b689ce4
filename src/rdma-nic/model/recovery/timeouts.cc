// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/timeouts.h"

#include "ns3/random-stream.h"
#include "ns3/smoothed-rtt.h"
#include "ns3/type-attributes.h"

#include <typeinfo>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(FixedTimeout);

TypeId
FixedTimeout::GetTypeId()
{
    static TypeId tid =
        TypeAttributes::Of<FixedTimeout, RetransmissionTimeout>("ns3::rdma::FixedTimeout",
                                                                "RdmaNic")
            .Add("Timeout",
                 Member(&FixedTimeout::m_timeout, NanoSeconds(4096 << 14), NanoSeconds(1)),
                 "Time without a new acknowledgment after which packets are sent again (67.1 ms = "
                 "4.096 us x 2^14: perftest's default timeout)")
            .Add("LateTimeout",
                 Member(&FixedTimeout::m_lateTimeout, NanoSeconds(4096 << 14), NanoSeconds(1)),
                 "The same after FirstRetries expiries in a row (as Timeout: IBTA)")
            .Add("FirstRetries",
                 Member(&FixedTimeout::m_firstRetries, 3),
                 "Expiries in a row that use Timeout");
    return tid;
}

Time
FixedTimeout::Get(const AwaitedAnswer& awaited) const
{
    return awaited.consecutive < m_firstRetries ? m_timeout : m_lateTimeout;
}

std::optional<FirstTimeout>
FixedTimeout::GetFirst() const
{
    if (typeid(*this) != typeid(FixedTimeout))
    {
        return std::nullopt; // A subclass has its own Get().
    }
    const Tick timeout = ToTick(m_firstRetries > 0 ? m_timeout : m_lateTimeout);
    return FirstTimeout{timeout, timeout};
}

Ptr<const RetransmissionTimeout>
FixedTimeout::WithAckTimeout(Time timeout) const
{
    return CopyWith(*this, timeout);
}

NS_OBJECT_ENSURE_REGISTERED(BackoffTimeout);

TypeId
BackoffTimeout::GetTypeId()
{
    static TypeId tid =
        TypeAttributes::Of<BackoffTimeout, RetransmissionTimeout>("ns3::rdma::BackoffTimeout",
                                                                  "RdmaNic")
            .Add("RtoLow",
                 Member(&BackoffTimeout::m_rtoLow, MicroSeconds(100), NanoSeconds(1)),
                 "Timeout while at most FewPackets are in flight (100 us: IRN section 4.1)")
            .Add("RtoHigh",
                 Member(&BackoffTimeout::m_rtoHigh, MicroSeconds(320), NanoSeconds(1)),
                 "Timeout otherwise (320 us: IRN section 4.1)")
            .Add("FewPackets",
                 Member(&BackoffTimeout::m_fewPackets, 3),
                 "In-flight packets up to which RtoLow applies (3: IRN section 4.1)")
            .Add("MaxBackoff",
                 Member(&BackoffTimeout::m_maxBackoff, 10, 0, 20),
                 "Doublings of the timeout at most (10: so that 320 us stays below 0.4 s)");
    return tid;
}

Time
BackoffTimeout::Get(const AwaitedAnswer& awaited) const
{
    const Time& base = awaited.packets <= m_fewPackets ? m_rtoLow : m_rtoHigh;
    const uint32_t doublings = std::min(awaited.consecutive, m_maxBackoff);
    return doublings == 0 ? base : base * (int64_t{1} << doublings);
}

std::optional<FirstTimeout>
BackoffTimeout::GetFirst() const
{
    if (typeid(*this) != typeid(BackoffTimeout))
    {
        return std::nullopt; // A subclass has its own Get().
    }
    return FirstTimeout{ToTick(m_rtoLow), ToTick(m_rtoHigh), m_fewPackets};
}

NS_OBJECT_ENSURE_REGISTERED(RttTimeout);

TypeId
RttTimeout::GetTypeId()
{
    static TypeId tid =
        TypeAttributes::Of<RttTimeout, BackoffTimeout>("ns3::rdma::RttTimeout", "RdmaNic")
            .Add("Granularity",
                 Member(&RttTimeout::m_granularity, MicroSeconds(1), 1),
                 "Least margin above the smoothed round trip (G of RFC 6298; 1 us: ours)")
            .Add("MinimumTimeout",
                 Member(&RttTimeout::m_minimum, MicroSeconds(20), NanoSeconds(1)),
                 "Lower bound (20 us: ours; RFC 6298 has 1 s, for hosts on the Internet)")
            .Add("MaximumTimeout",
                 Member(&RttTimeout::m_maximum, MilliSeconds(400), NanoSeconds(1)),
                 "Upper bound, also of doubled ones (400 ms: as BackoffTimeout's by default)");
    return tid;
}

Time
RttTimeout::Get(const AwaitedAnswer& awaited) const
{
    if (!awaited.rtt || !awaited.rtt->HasSamples())
    {
        return BackoffTimeout::Get(awaited);
    }
    constexpr uint32_t MOST_DOUBLINGS{20};
    const Time timeout = std::max(awaited.rtt->GetTimeout(m_granularity), m_minimum);
    const int64_t factor = int64_t{1} << std::min(awaited.consecutive, MOST_DOUBLINGS);
    return std::min(timeout * factor, m_maximum);
}

std::optional<FirstTimeout>
RttTimeout::GetFirst() const
{
    if (typeid(*this) != typeid(RttTimeout))
    {
        return std::nullopt; // A subclass has its own Get().
    }
    const Tick least = ToTick(std::min({GetLeast(), m_minimum, m_maximum}));
    return FirstTimeout{least, least};
}

bool
RttTimeout::NeedsRtt() const
{
    return true;
}

NS_OBJECT_ENSURE_REGISTERED(AdaptiveTimeout);

namespace
{
constexpr uint32_t MAX_EXPONENT{20}; ///< 4.2 s with the shortest TimeBase.
} // namespace

TypeId
AdaptiveTimeout::GetTypeId()
{
    static TypeId tid =
        TypeAttributes::Of<AdaptiveTimeout, FixedTimeout>("ns3::rdma::AdaptiveTimeout", "RdmaNic")
            .Add("TimeBase",
                 Member(&AdaptiveTimeout::m_timeBase, MicroSeconds(4), MicroSeconds(4), Seconds(1)),
                 "Timeout of exponent 0 (4 us: NVIDIA's adp_retx_base_timeout_min; the hardware "
                 "takes powers of two of microseconds)")
            .Add("InitialLowBound",
                 Member(&AdaptiveTimeout::m_initialLow, 5, 0, MAX_EXPONENT),
                 "Least exponent before the first expiry (NVIDIA's timeout_init_low_bound; 5, that "
                 "is 128 us: ours, near IRN's RTO_low)")
            .Add("InitialRangeSize",
                 Member(&AdaptiveTimeout::m_initialSize, 2, 1, MAX_EXPONENT + 1),
                 "Number of exponents to draw from, InitialLowBound first (NVIDIA's "
                 "timeout_init_range_size; "
                 "2: ours)")
            .Add("RangeLowBound",
                 Member(&AdaptiveTimeout::m_low, 5, 0, MAX_EXPONENT),
                 "Least exponent of the range (NVIDIA's range_low_bound; 5: ours)")
            .Add("RangeSize",
                 Member(&AdaptiveTimeout::m_size, 10, 1, MAX_EXPONENT + 1),
                 "Exponents of the range (NVIDIA's range_size; 10, up to 65.5 ms, just below "
                 "perftest's timeout: ours)")
            .Add("RetriesPerTimeout",
                 Member(&AdaptiveTimeout::m_retriesPerTimeout, 1, 1),
                 "Expiries in a row at each exponent of the range (NVIDIA's timeout_retry_num; 1: "
                 "ours)");
    return tid;
}

uint32_t
AdaptiveTimeout::DrawExponent(Psn oldest) const
{
    // The PSN is hashed: modulo the size, all messages with an even number of packets might get the
    // same exponent.
    return m_initialLow + RandomStream::Scramble(uint64_t{oldest.Get()} + 1) % m_initialSize;
}

uint32_t
AdaptiveTimeout::GetExponent(const AwaitedAnswer& awaited) const
{
    if (awaited.expiries == 0)
    {
        return DrawExponent(awaited.oldest);
    }
    const uint32_t end = m_low + m_size;
    uint32_t first = m_low;
    uint32_t used = awaited.consecutive; // Expiries that count for the range.
    if (awaited.expiries == awaited.consecutive)
    {
        // All expiries of the queue pair are consecutive: the first one used the random exponent.
        // The draw was for the same oldest packet, since there was no progress.
        const uint32_t initial = DrawExponent(awaited.oldest);
        first = initial >= m_low && initial < end ? initial + 1 : m_low;
        used = awaited.consecutive - 1;
    }
    return std::min(first + used / m_retriesPerTimeout, end - 1);
}

Time
AdaptiveTimeout::Get(const AwaitedAnswer& awaited) const
{
    const Time cap = FixedTimeout::Get(awaited);
    if (cap == Time::Max())
    {
        return cap;
    }
    return GetTimeout(GetExponent(awaited), cap);
}

Time
AdaptiveTimeout::GetTimeout(uint32_t exponent, Time cap) const
{
    Time timeout = m_timeBase;
    for (uint32_t left = exponent; left > 0 && timeout < cap; --left)
    {
        timeout = timeout + timeout;
    }
    return std::min(timeout, cap);
}

std::optional<FirstTimeout>
AdaptiveTimeout::GetFirst() const
{
    if (typeid(*this) != typeid(AdaptiveTimeout))
    {
        return std::nullopt; // A subclass has its own Get().
    }
    // FixedTimeout::Get() of a timer that has not expired.
    const Time cap = FixedTimeout::Get({0, Psn(0), 1, 0, 0, nullptr});
    const Tick least =
        cap == Time::Max() ? TICK_NEVER : ToTick(GetTimeout(std::min(m_initialLow, m_low), cap));
    return FirstTimeout{least, least};
}

Ptr<const RetransmissionTimeout>
AdaptiveTimeout::WithAckTimeout(Time timeout) const
{
    return CopyWith(*this, timeout);
}

} // namespace ns3::rdma
