// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/backoff-timeout.h"

#include "ns3/type-attributes.h"

#include <algorithm>
#include <typeinfo>

namespace ns3::rdma
{

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

} // namespace ns3::rdma
