// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ack-clocked-credits.h"

#include "ns3/uinteger.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(AckClockedCredits);

TypeId
AckClockedCredits::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::AckClockedCredits")
            .SetParent<CongestionControl>()
            .SetGroupName("RdmaNic")
            .AddConstructor<AckClockedCredits>()
            .AddAttribute(
                "Budget",
                "Payload that may be unacknowledged, bytes (Coyote: 16 requests of 4096 B)",
                UintegerValue(16 * 4096),
                MakeUintegerAccessor(&AckClockedCredits::m_budgetBytes),
                MakeUintegerChecker<uint64_t>(1));
    return tid;
}

Ptr<CongestionControl>
AckClockedCredits::Fork() const
{
    return CopyObject(Ptr<const AckClockedCredits>(this));
}

Feedback
AckClockedCredits::GetNeededFeedback() const
{
    return Feedback::NONE;
}

void
AckClockedCredits::Start(const PathInfo& path, Time)
{
    m_lineRate = path.lineRate;
}

bool
AckClockedCredits::NeedsOnSent() const
{
    return false;
}

SendLimit
AckClockedCredits::GetLimit() const
{
    SendLimit limit;
    limit.rate = m_lineRate;
    limit.windowBytes = m_budgetBytes;
    return limit;
}

} // namespace ns3::rdma
