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

bool
LossDetector::WindowCountsHeld() const
{
    return false;
}

void
LossDetector::OnSent(const PacketDeparture&)
{
}

LostPackets
LossDetector::OnDeadline(const Scoreboard&, Time)
{
    return {};
}

bool
LossDetector::ResendsBeyondWindow() const
{
    return false;
}

bool
LossDetector::ResendsTrimmed() const
{
    return true;
}

Time
LossDetector::GetProbeTime() const
{
    return Time::Max();
}

void
LossDetector::OnProbe(Time)
{
}

Time
LossDetector::GetDeadline() const
{
    return Time::Max();
}

LostPackets
LossDetector::OnTimeout(const Scoreboard& board, Time)
{
    return board.GetMissing();
}

LostPackets
LossDetector::OnRnrNak(const Scoreboard& board)
{
    return board.GetMissing();
}

LostPackets
LossDetector::OnMissingResponse(const Scoreboard& board)
{
    return board.GetMissing();
}

bool
LossDetector::NeedsOnSent() const
{
    return true;
}

bool
LossDetector::NeedsOnAck() const
{
    return true;
}

} // namespace ns3::rdma
