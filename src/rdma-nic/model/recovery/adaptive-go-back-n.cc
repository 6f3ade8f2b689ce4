// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/adaptive-go-back-n.h"

#include "ns3/go-back-n.h"
#include "ns3/pointer.h"
#include "ns3/random-stream.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(AdaptiveGoBackN);

namespace
{
constexpr uint32_t MAX_EXPONENT{20}; ///< 4.2 s from the shortest base.
} // namespace

TypeId
AdaptiveGoBackN::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::AdaptiveGoBackN")
            .SetParent<LossRecovery>()
            .SetGroupName("RdmaNic")
            .AddConstructor<AdaptiveGoBackN>()
            .AddAttribute("Rules",
                          "The GoBackN whose rules and longest timeout it has",
                          TypeId::ATTR_GET,
                          PointerValue(),
                          MakePointerAccessor(&AdaptiveGoBackN::GetRules),
                          MakePointerChecker<LossRecovery>())
            .AddAttribute("TimeBase",
                          "Timeout of exponent 0 (4 us: NVIDIA's adp_retx_base_timeout_min; the "
                          "hardware takes powers of two of microseconds)",
                          TimeValue(MicroSeconds(4)),
                          MakeTimeAccessor(&AdaptiveGoBackN::m_timeBase),
                          MakeTimeChecker(MicroSeconds(4), Seconds(1)))
            .AddAttribute("InitialLowBound",
                          "Least exponent before the first expiry (NVIDIA's "
                          "timeout_init_low_bound; 5, that is 128 us: ours, near IRN's RTO_low)",
                          UintegerValue(5),
                          MakeUintegerAccessor(&AdaptiveGoBackN::m_initialLow),
                          MakeUintegerChecker<uint32_t>(0, MAX_EXPONENT))
            .AddAttribute("InitialRangeSize",
                          "How many exponents from there on may be drawn (NVIDIA's "
                          "timeout_init_range_size; 2: ours)",
                          UintegerValue(2),
                          MakeUintegerAccessor(&AdaptiveGoBackN::m_initialSize),
                          MakeUintegerChecker<uint32_t>(1, MAX_EXPONENT + 1))
            .AddAttribute("RangeLowBound",
                          "Least exponent of the range (NVIDIA's range_low_bound; 5: ours)",
                          UintegerValue(5),
                          MakeUintegerAccessor(&AdaptiveGoBackN::m_low),
                          MakeUintegerChecker<uint32_t>(0, MAX_EXPONENT))
            .AddAttribute("RangeSize",
                          "Exponents of the range (NVIDIA's range_size; 10, up to 65.5 ms, just "
                          "below perftest's timeout: ours)",
                          UintegerValue(10),
                          MakeUintegerAccessor(&AdaptiveGoBackN::m_size),
                          MakeUintegerChecker<uint32_t>(1, MAX_EXPONENT + 1))
            .AddAttribute("RetriesPerTimeout",
                          "Expiries in a row at each exponent of the range (NVIDIA's "
                          "timeout_retry_num; 1: ours)",
                          UintegerValue(1),
                          MakeUintegerAccessor(&AdaptiveGoBackN::m_retriesPerTimeout),
                          MakeUintegerChecker<uint32_t>(1));
    return tid;
}

AdaptiveGoBackN::AdaptiveGoBackN()
    : m_rules(CreateObject<GoBackN>())
{
}

Ptr<LossRecovery>
AdaptiveGoBackN::GetRules() const
{
    return m_rules;
}

Ptr<LossRecovery>
AdaptiveGoBackN::Fork() const
{
    const Ptr<AdaptiveGoBackN> fork = CopyObject(Ptr<const AdaptiveGoBackN>(this));
    fork->m_rules = m_rules->Fork();
    return fork;
}

ResponderRules
AdaptiveGoBackN::GetResponderRules() const
{
    return m_rules->GetResponderRules();
}

void
AdaptiveGoBackN::SetAckTimeout(Time timeout)
{
    m_rules->SetAckTimeout(timeout);
}

uint32_t
AdaptiveGoBackN::DrawExponent(Psn oldest) const
{
    // Not the PSN modulo the size: messages of an even number of packets would all draw the same.
    return m_initialLow + RandomStream::Scramble(uint64_t{oldest.Get()} + 1) % m_initialSize;
}

uint32_t
AdaptiveGoBackN::GetExponent(const SendWindow& window, uint32_t retries) const
{
    if (m_expiries == 0)
    {
        return DrawExponent(window.unacked);
    }
    const uint32_t end = m_low + m_size;
    uint32_t first = m_low;
    uint32_t used = retries; // Of the range.
    if (m_expiries == retries)
    {
        // All expiries are of this row: it began with the random exponent, which counts once.
        const uint32_t initial = DrawExponent(m_drawnFor);
        first = initial >= m_low && initial < end ? initial + 1 : m_low;
        used = retries - 1;
    }
    return std::min(first + used / m_retriesPerTimeout, end - 1);
}

Time
AdaptiveGoBackN::GetTimeout(const SendWindow& window, uint32_t retries) const
{
    const Time cap = m_rules->GetTimeout(window, retries);
    if (cap == Time::Max())
    {
        return cap;
    }
    Time timeout = m_timeBase;
    for (uint32_t left = GetExponent(window, retries); left > 0 && timeout < cap; --left)
    {
        timeout = timeout + timeout;
    }
    return std::min(timeout, cap);
}

void
AdaptiveGoBackN::OnSent(const PsnRange& packets, Time now)
{
    m_rules->OnSent(packets, now);
}

bool
AdaptiveGoBackN::NeedsOnSent() const
{
    return m_rules->NeedsOnSent();
}

bool
AdaptiveGoBackN::NeedsOnAck() const
{
    return m_rules->NeedsOnAck();
}

ResendList
AdaptiveGoBackN::OnAck(const SendWindow& window, const AnswerTiming& timing)
{
    return m_rules->OnAck(window, timing);
}

ResendList
AdaptiveGoBackN::OnNack(const NackEvent& nack, const SendWindow& window)
{
    return m_rules->OnNack(nack, window);
}

ResendList
AdaptiveGoBackN::OnTimeout(const SendWindow& window, Time now)
{
    if (m_expiries == 0)
    {
        m_drawnFor = window.unacked;
    }
    ++m_expiries;
    return m_rules->OnTimeout(window, now);
}

ResendList
AdaptiveGoBackN::OnRnrNak(const SendWindow& window)
{
    return m_rules->OnRnrNak(window);
}

ResendList
AdaptiveGoBackN::OnMissingResponse(const SendWindow& window)
{
    return m_rules->OnMissingResponse(window);
}

} // namespace ns3::rdma
