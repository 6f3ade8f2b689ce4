// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/loss-recovery.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(LossRecovery);

TypeId
LossRecovery::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::LossRecovery").SetParent<Object>().SetGroupName("RdmaNic");
    return tid;
}

Tick
LossRecovery::GetExpiry(Tick start, Tick timeout) const
{
    return start + timeout;
}

uint32_t
LossRecovery::GetMaxQueuePairs() const
{
    return UINT32_MAX;
}

void
LossRecovery::OnSent(const PsnRange&, Time)
{
}

ResendList
LossRecovery::OnAck(const SendWindow&, const AnswerTiming&)
{
    return {};
}

void
LossRecovery::SetAckTimeout(Time)
{
}

ResendList
LossRecovery::OnRnrNak(const SendWindow& window)
{
    return {{window.unacked, window.next}};
}

ResendList
LossRecovery::OnMissingResponse(const SendWindow& window)
{
    return {{window.unacked, window.next}};
}

} // namespace ns3::rdma
