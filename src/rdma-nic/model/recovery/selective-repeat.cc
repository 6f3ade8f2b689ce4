// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/selective-repeat.h"

#include "ns3/type-attributes.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(SelectiveRepeat);

TypeId
SelectiveRepeat::GetTypeId()
{
    static TypeId tid =
        TypeAttributes::Of<SelectiveRepeat, LossDetector>("ns3::rdma::SelectiveRepeat", "RdmaNic")
            .Add("BitmapPackets",
                 Shared(&SelectiveRepeat::m_parameters,
                        &Parameters::bitmapPackets,
                        1000,
                        1,
                        Psn::MAX_WINDOW / 2),
                 "Length of the responder's bitmap (1000: SRNIC's simulator; 500 slots of 100 Gb/s "
                 "x 40 us in SRNIC section 3.2.2)")
            .Add("CumulativeLags",
                 Shared(&SelectiveRepeat::m_parameters, &Parameters::isCumulativeLate, false),
                 "Whether the responder's cumulative acknowledgments may come later than selective "
                 "ones of later packets (SRNIC section 4.4.2: software updates the expected PSN)")
            .Add("WindowCountsHeld",
                 Shared(&SelectiveRepeat::m_parameters, &Parameters::countsHeld, false),
                 "Whether packets that the receiver keeps out of order count as in flight until "
                 "they are acknowledged in order, as IRN and SRNIC have it");
    return tid;
}

DetectorTraits
SelectiveRepeat::GetTraits() const
{
    DetectorTraits traits;
    traits.responder = {m_parameters->bitmapPackets, true};
    traits.windowCountsHeld = m_parameters->countsHeld;
    traits.needsOnSent = false;
    return traits;
}

void
SelectiveRepeat::Advance(const Scoreboard& board)
{
    const Psn unacked = board.GetUnacked();
    if (!m_nextSuspect || m_nextSuspect->IsBefore(unacked))
    {
        m_nextSuspect = unacked;
    }
    if (m_recoveryEnd && !unacked.IsBefore(*m_recoveryEnd))
    {
        m_recoveryEnd.reset();
    }
}

NextLook
SelectiveRepeat::GetNextLook() const
{
    NextLook next;
    next.needsAcks = m_nextSuspect.has_value();
    return next;
}

LostPackets
SelectiveRepeat::OnReport(const AckReport& report, const Scoreboard& board, Time)
{
    LostPackets lost;
    Advance(board);
    const Psn unacked = board.GetUnacked();
    if (!report.isNak)
    {
        if (!board.HasHeld() && !m_recoveryEnd && *m_nextSuspect == unacked)
        {
            m_nextSuspect.reset(); // As at the start.
        }
        return lost;
    }
    if (report.received.bitmap.IsEmpty() || !board.Contains(report.received.bitmap.GetNewest()))
    {
        return lost;
    }
    if (report.cumulative == unacked && !m_parameters->isCumulativeLate && board.IsHeld(unacked))
    {
        // The oldest packet had arrived out of order, but is missing: it was refused when it became
        // the expected one.
        lost.push_back({unacked, unacked + 1});
    }
    const Psn newest = report.received.bitmap.GetNewest();
    if (m_nextSuspect->IsBefore(newest))
    {
        board.AppendMissing(*m_nextSuspect, newest, lost);
        m_nextSuspect = newest;
    }
    return lost;
}

LostPackets
SelectiveRepeat::OnTimeout(const Scoreboard& board)
{
    Advance(board);
    const Psn second = board.GetUnacked() + 1;
    const Psn suspected = m_recoveryEnd.value_or(second);
    if (m_nextSuspect->IsBefore(suspected))
    {
        m_nextSuspect = suspected;
    }
    LostPackets lost{{board.GetUnacked(), second}};
    board.AppendMissing(second, *m_nextSuspect, lost);
    if (!m_recoveryEnd)
    {
        m_recoveryEnd = board.GetNext();
    }
    return lost;
}

LostPackets
SelectiveRepeat::OnTrigger(LossTrigger trigger, const Scoreboard& board, Time now)
{
    switch (trigger)
    {
    case LossTrigger::TIMEOUT:
        return OnTimeout(board);
    case LossTrigger::RNR_NAK:
        Advance(board);
        return board.GetMissing();
    case LossTrigger::MISSING_RESPONSE:
        return {{board.GetUnacked(), board.GetUnacked() + 1}};
    default:
        return LossDetector::OnTrigger(trigger, board, now);
    }
}

} // namespace ns3::rdma
