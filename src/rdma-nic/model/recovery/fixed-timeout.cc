// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/fixed-timeout.h"

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

} // namespace ns3::rdma
