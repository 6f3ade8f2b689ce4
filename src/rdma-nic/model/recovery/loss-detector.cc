// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/loss-detector.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(LossDetector);

TypeId
LossDetector::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::LossDetector").SetParent<Object>().SetGroupName("RdmaNic");
    return tid;
}

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
