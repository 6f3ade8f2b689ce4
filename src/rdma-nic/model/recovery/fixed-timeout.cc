// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/fixed-timeout.h"

#include "ns3/uinteger.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(FixedTimeout);

TypeId
FixedTimeout::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::FixedTimeout")
            .SetParent<RetransmissionTimeout>()
            .SetGroupName("RdmaNic")
            .AddConstructor<FixedTimeout>()
            .AddAttribute("Timeout",
                          "Time without a new acknowledgment after which packets are sent again "
                          "(67.1 ms = 4.096 us x 2^14: perftest's default timeout)",
                          TimeValue(NanoSeconds(4096 << 14)),
                          MakeTimeAccessor(&FixedTimeout::m_timeout),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("LateTimeout",
                          "The same after FirstRetries expiries in a row (as Timeout: IBTA)",
                          TimeValue(NanoSeconds(4096 << 14)),
                          MakeTimeAccessor(&FixedTimeout::m_lateTimeout),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("FirstRetries",
                          "Expiries in a row that use Timeout",
                          UintegerValue(3),
                          MakeUintegerAccessor(&FixedTimeout::m_firstRetries),
                          MakeUintegerChecker<uint32_t>());
    return tid;
}

Time
FixedTimeout::Get(const AwaitedAnswer& awaited) const
{
    return awaited.consecutive < m_firstRetries ? m_timeout : m_lateTimeout;
}

Ptr<const RetransmissionTimeout>
FixedTimeout::WithAckTimeout(Time timeout) const
{
    return CopyWith(*this, timeout);
}

} // namespace ns3::rdma
