// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/no-congestion-control.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(NoCongestionControl);

TypeId
NoCongestionControl::GetTypeId()
{
    static TypeId tid = TypeId("ns3::rdma::NoCongestionControl")
                            .SetParent<CongestionControl>()
                            .SetGroupName("RdmaNic")
                            .AddConstructor<NoCongestionControl>();
    return tid;
}

Feedback
NoCongestionControl::GetNeededFeedback() const
{
    return Feedback::NONE;
}

void
NoCongestionControl::Start(const PathInfo& path, Time)
{
    m_lineRate = path.lineRate;
}

bool
NoCongestionControl::NeedsOnSent() const
{
    return false;
}

SendLimit
NoCongestionControl::GetLimit() const
{
    SendLimit limit;
    limit.rate = m_lineRate;
    return limit;
}

} // namespace ns3::rdma
