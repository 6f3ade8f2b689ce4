// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/go-back-n.h"

#include "ns3/restart-as.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(GoBackN);

TypeId
GoBackN::GetTypeId()
{
    static TypeId tid = TypeId("ns3::rdma::GoBackN")
                            .SetParent<LossDetector>()
                            .SetGroupName("RdmaNic")
                            .AddConstructor<GoBackN>();
    return tid;
}

Ptr<LossDetector>
GoBackN::Fork() const
{
    return CopyObject(Ptr<const GoBackN>(this));
}

bool
GoBackN::Restart(const LossDetector& prototype)
{
    return RestartAs(*this, prototype);
}

ResponderRules
GoBackN::GetResponderRules() const
{
    return {};
}

bool
GoBackN::NeedsOnSent() const
{
    return false;
}

bool
GoBackN::NeedsOnAck() const
{
    return false;
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
