// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/congestion-control.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(CongestionControl);

TypeId
CongestionControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::CongestionControl").SetParent<Object>().SetGroupName("RdmaNic");
    return tid;
}

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
