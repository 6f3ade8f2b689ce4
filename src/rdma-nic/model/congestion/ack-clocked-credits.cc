// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ack-clocked-credits.h"

#include "ns3/type-attributes.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(AckClockedCredits);

TypeId
AckClockedCredits::GetTypeId()
{
    static TypeId tid =
        TypeAttributes::Of<AckClockedCredits, CongestionControl>("ns3::rdma::AckClockedCredits",
                                                                 "RdmaNic")
            .Add("Budget",
                 Member(&AckClockedCredits::m_budgetBytes, 16 * 4096, 1),
                 "Payload that may be unacknowledged, bytes (Coyote: 16 requests of 4096 B)");
    return tid;
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
