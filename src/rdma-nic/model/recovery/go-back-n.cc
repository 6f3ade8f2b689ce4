// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/go-back-n.h"

#include "ns3/uinteger.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(GoBackN);

TypeId
GoBackN::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::GoBackN")
            .SetParent<LossRecovery>()
            .SetGroupName("RdmaNic")
            .AddConstructor<GoBackN>()
            .AddAttribute("Timeout",
                          "Time without a new acknowledgment after which all is sent again "
                          "(67.1 ms = 4.096 us x 2^14: perftest's default timeout)",
                          TimeValue(NanoSeconds(4096 << 14)),
                          MakeTimeAccessor(&GoBackN::m_timeout),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("LateTimeout",
                          "The same after FirstRetries expiries in a row (as Timeout: IBTA)",
                          TimeValue(NanoSeconds(4096 << 14)),
                          MakeTimeAccessor(&GoBackN::m_lateTimeout),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("FirstRetries",
                          "Expiries in a row that use Timeout",
                          UintegerValue(3),
                          MakeUintegerAccessor(&GoBackN::m_firstRetries),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("MaxQueuePairs",
                          "Queue pairs that the NIC has tables for (none known: any number)",
                          UintegerValue(UINT32_MAX),
                          MakeUintegerAccessor(&GoBackN::m_maxQueuePairs),
                          MakeUintegerChecker<uint32_t>(1));
    return tid;
}

Ptr<LossRecovery>
GoBackN::Fork() const
{
    return CopyObject(Ptr<const GoBackN>(this));
}

ResponderRules
GoBackN::GetResponderRules() const
{
    return {};
}

void
GoBackN::SetAckTimeout(Time timeout)
{
    m_timeout = timeout;
    m_lateTimeout = timeout;
}

uint32_t
GoBackN::GetMaxQueuePairs() const
{
    return m_maxQueuePairs;
}

Time
GoBackN::GetTimeout(const SendWindow&, uint32_t retries) const
{
    return retries < m_firstRetries ? m_timeout : m_lateTimeout;
}

bool
GoBackN::NeedsOnSent() const
{
    return false;
}

bool
GoBackN::NeedsOnAck() const
{
    return false;
}

ResendList
GoBackN::OnNack(const NackEvent& nack, const SendWindow& window)
{
    ResendList resend;
    if (window.Contains(nack.expected))
    {
        resend.push_back({nack.expected, window.next});
    }
    return resend; // A stale NACK changes nothing.
}

ResendList
GoBackN::OnTimeout(const SendWindow& window, Time)
{
    return {{window.unacked, window.next}};
}

} // namespace ns3::rdma
