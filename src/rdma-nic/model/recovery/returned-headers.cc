// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/returned-headers.h"

#include "ns3/register-type.h"

namespace ns3::rdma
{

RDMA_REGISTER_CLASS(ReturnedHeaders, LossDetector, "RdmaNic");

DetectorTraits
ReturnedHeaders::GetTraits() const
{
    DetectorTraits traits;
    traits.responder = {Psn::MAX_WINDOW / 2, true};
    traits.needsOnSent = false;
    return traits;
}

LostPackets
ReturnedHeaders::OnReport(const AckReport& report, const Scoreboard&, Time)
{
    LostPackets lost;
    if (report.isTrimmed)
    {
        lost.push_back({report.cause, report.cause + 1});
    }
    return lost;
}

LostPackets
ReturnedHeaders::OnTrigger(LossTrigger trigger, const Scoreboard& board, Time now)
{
    if (trigger == LossTrigger::MISSING_RESPONSE)
    {
        return {{board.GetUnacked(), board.GetUnacked() + 1}};
    }
    return LossDetector::OnTrigger(trigger, board, now);
}

NextLook
ReturnedHeaders::GetNextLook() const
{
    NextLook next;
    next.needsAcks = false;
    return next;
}

} // namespace ns3::rdma
