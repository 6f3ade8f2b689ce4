// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/congestion-control.h"

#include "ns3/register-type.h"

namespace ns3::rdma
{

RDMA_REGISTER_BASE(CongestionControl, Object, "RdmaNic");

void
CongestionControl::OnAck(const AckEvent&)
{
}

void
CongestionControl::OnCnp(Time)
{
}

bool
CongestionControl::OnSent(uint32_t, Time)
{
    return false;
}

bool
CongestionControl::Restart(const CongestionControl&)
{
    return false;
}

bool
CongestionControl::UsesOwnPath() const
{
    return false;
}

void
CongestionControl::OnLoss(const LossEvent&)
{
}

void
CongestionControl::OnTrim(const TrimEvent&)
{
}

void
CongestionControl::OnTimeout(const LossEvent&)
{
}

void
CongestionControl::OnDeadline(Time)
{
}

bool
CongestionControl::NeedsOnSent() const
{
    return true;
}

} // namespace ns3::rdma
