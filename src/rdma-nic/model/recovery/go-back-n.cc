// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/go-back-n.h"

#include "ns3/register-type.h"

namespace ns3::rdma
{

RDMA_REGISTER_CLASS(GoBackN, LossDetector, "RdmaNic");

DetectorTraits
GoBackN::GetTraits() const
{
    DetectorTraits traits;
    traits.needsOnSent = false;
    return traits;
}

NextLook
GoBackN::GetNextLook() const
{
    NextLook next;
    next.needsAcks = false;
    return next;
}

LostPackets
GoBackN::OnReport(const AckReport& report, const Scoreboard& board, Time)
{
    LostPackets lost;
    if (report.isNak && board.Contains(report.cumulative))
    {
        lost.push_back({report.cumulative, board.GetNext()});
    }
    return lost; // A stale NAK changes nothing.
}

} // namespace ns3::rdma
