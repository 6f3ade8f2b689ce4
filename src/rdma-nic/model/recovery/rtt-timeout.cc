// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/rtt-timeout.h"

#include "ns3/smoothed-rtt.h"
#include "ns3/type-attributes.h"

#include <algorithm>
#include <typeinfo>

namespace ns3::rdma
{

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

} // namespace ns3::rdma
