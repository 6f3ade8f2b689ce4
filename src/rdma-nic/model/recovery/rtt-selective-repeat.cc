// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/rtt-selective-repeat.h"

#include "ns3/bounded-checker.h"

#include <algorithm>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(RttSelectiveRepeat);

TypeId
RttSelectiveRepeat::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::RttSelectiveRepeat")
            .SetParent<SelectiveRepeat>()
            .SetGroupName("RdmaNic")
            .AddConstructor<RttSelectiveRepeat>()
            .AddAttribute(
                "Granularity",
                "Least margin above the smoothed round trip (G of RFC 6298; 1 us: ours)",
                TimeValue(MicroSeconds(1)),
                MakeSharedAccessor<TimeValue>(&RttSelectiveRepeat::m_bounds, &Bounds::granularity),
                MakeTickChecker(1))
            .AddAttribute(
                "MinimumTimeout",
                "Lower bound (20 us: ours; RFC 6298 has 1 s, for hosts on the Internet)",
                TimeValue(MicroSeconds(20)),
                MakeSharedAccessor<TimeValue>(&RttSelectiveRepeat::m_bounds, &Bounds::minimum),
                MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute(
                "MaximumTimeout",
                "Upper bound, also of doubled ones (400 ms: as SelectiveRepeat's by default)",
                TimeValue(MilliSeconds(400)),
                MakeSharedAccessor<TimeValue>(&RttSelectiveRepeat::m_bounds, &Bounds::maximum),
                MakeTimeChecker(NanoSeconds(1)));
    return tid;
}

Ptr<LossRecovery>
RttSelectiveRepeat::Fork() const
{
    return CopyObject(Ptr<const RttSelectiveRepeat>(this));
}

Time
RttSelectiveRepeat::GetTimeout(const SendWindow& window, uint32_t retries) const
{
    if (!m_estimator.HasSamples())
    {
        return SelectiveRepeat::GetTimeout(window, retries);
    }
    constexpr uint32_t MOST_DOUBLINGS{20};
    const Time timeout = std::max(m_estimator.GetTimeout(m_bounds->granularity), m_bounds->minimum);
    const int64_t factor = int64_t{1} << std::min(retries, MOST_DOUBLINGS);
    return std::min(timeout * factor, m_bounds->maximum);
}

bool
RttSelectiveRepeat::NeedsOnAck() const
{
    return true;
}

ResendList
RttSelectiveRepeat::OnAck(const SendWindow& window, const AnswerTiming& timing)
{
    m_estimator.Add(timing.rtt);
    return SelectiveRepeat::OnAck(window, timing);
}

ResendList
RttSelectiveRepeat::OnNack(const NackEvent& nack, const SendWindow& window)
{
    m_estimator.Add(nack.timing.rtt);
    return SelectiveRepeat::OnNack(nack, window);
}

} // namespace ns3::rdma
