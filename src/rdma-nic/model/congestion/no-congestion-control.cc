// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/no-congestion-control.h"

#include "ns3/register-type.h"

namespace ns3::rdma
{

RDMA_REGISTER_CLASS(NoCongestionControl, CongestionControl, "RdmaNic");

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
