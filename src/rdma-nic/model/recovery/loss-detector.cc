// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/loss-detector.h"

#include "ns3/register-type.h"

namespace ns3::rdma
{

RDMA_REGISTER_BASE(LossDetector, Object, "RdmaNic");

bool
LossDetector::Restart(const LossDetector&)
{
    return false;
}

void
LossDetector::OnSent(const PacketDeparture&)
{
}

LostPackets
LossDetector::OnTrigger(LossTrigger trigger, const Scoreboard& board, Time)
{
    const bool isLook = trigger == LossTrigger::DEADLINE || trigger == LossTrigger::PROBE;
    return isLook ? LostPackets{} : board.GetMissing();
}

NextLook
LossDetector::GetNextLook() const
{
    return {};
}

} // namespace ns3::rdma
