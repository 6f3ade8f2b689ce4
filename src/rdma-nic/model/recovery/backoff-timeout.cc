// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/backoff-timeout.h"

#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(BackoffTimeout);

TypeId
BackoffTimeout::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::BackoffTimeout")
            .SetParent<RetransmissionTimeout>()
            .SetGroupName("RdmaNic")
            .AddConstructor<BackoffTimeout>()
            .AddAttribute("RtoLow",
                          "Timeout while at most FewPackets are in flight (100 us: IRN section "
                          "4.1)",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&BackoffTimeout::m_rtoLow),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("RtoHigh",
                          "Timeout otherwise (320 us: IRN section 4.1)",
                          TimeValue(MicroSeconds(320)),
                          MakeTimeAccessor(&BackoffTimeout::m_rtoHigh),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("FewPackets",
                          "In-flight packets up to which RtoLow applies (3: IRN section 4.1)",
                          UintegerValue(3),
                          MakeUintegerAccessor(&BackoffTimeout::m_fewPackets),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("MaxBackoff",
                          "Doublings of the timeout at most (10: so that 320 us stays below 0.4 s)",
                          UintegerValue(10),
                          MakeUintegerAccessor(&BackoffTimeout::m_maxBackoff),
                          MakeUintegerChecker<uint32_t>(0, 20));
    return tid;
}

Time
BackoffTimeout::Get(const AwaitedAnswer& awaited) const
{
    const Time& base = awaited.packets <= m_fewPackets ? m_rtoLow : m_rtoHigh;
    const uint32_t doublings = std::min(awaited.consecutive, m_maxBackoff);
    return doublings == 0 ? base : base * (int64_t{1} << doublings);
}

} // namespace ns3::rdma
