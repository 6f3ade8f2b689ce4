// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/sleek.h"

#include "ns3/type-attributes.h"

#include <algorithm>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(Sleek);

TypeId
Sleek::GetTypeId()
{
    static TypeId tid =
        TypeAttributes::Of<Sleek, LossDetector>("ns3::rdma::Sleek", "RdmaNic")
            .Add("ReceiverPackets",
                 Shared(&Sleek::m_parameters,
                        &Parameters::receiverPackets,
                        1024,
                        128,
                        Psn::MAX_WINDOW / 2),
                 "PSNs that the receiver tracks beyond the next missing one (1024: UE 1.0.3, MPR 8 "
                 "x 128)")
            .Add("CountsGaps",
                 Shared(&Sleek::m_parameters, &Parameters::countsGaps, true),
                 "Whether gaps are lost when many packets are out of order (SLEEK); false: only "
                 "trimmed packets and the timer count")
            .Add("Windows",
                 Shared(&Sleek::m_parameters, &Parameters::windows, 1.5, 0),
                 "Packets out of order, in windows, at which gaps are lost (1.5: uet-htsim)")
            .Add("MinPackets",
                 Shared(&Sleek::m_parameters, &Parameters::minPackets, 5, 1),
                 "The same for small windows, packets (5: uet-htsim)");
    return tid;
}

Ptr<LossDetector>
Sleek::Fork() const
{
    return CopyObject(Ptr<const Sleek>(this));
}

ResponderRules
Sleek::GetResponderRules() const
{
    return {m_parameters->receiverPackets, true};
}

bool
Sleek::NeedsOnSent() const
{
    return false;
}

bool
Sleek::IsBeyondReordering(const AckReport& report) const
{
    const double packets =
        m_parameters->windows * static_cast<double>(report.windowBytes) / report.packetBytes;
    return report.held >= std::max<double>(packets, m_parameters->minPackets);
}

LostPackets
Sleek::OnReport(const AckReport& report, const Scoreboard& board, Time)
{
    LostPackets lost;
    if (report.isTrimmed)
    {
        lost.push_back({report.cause, report.cause + 1});
        return lost;
    }
    const Psn unacked = board.GetUnacked();
    if (m_recoveryEnd && !unacked.IsBefore(*m_recoveryEnd))
    {
        m_recoveryEnd.reset();
        m_nextSuspect.reset();
    }
    if (!m_parameters->countsGaps || report.packetBytes == 0 ||
        (!m_recoveryEnd && !IsBeyondReordering(report)))
    {
        return lost;
    }
    if (!m_recoveryEnd)
    {
        m_recoveryEnd = board.GetNext();
        m_nextSuspect = unacked;
    }
    const Psn first = m_nextSuspect->IsBefore(unacked) ? unacked : *m_nextSuspect;
    const auto window = static_cast<uint32_t>(report.windowBytes / report.packetBytes);
    const Psn reach = unacked + std::min(window, board.GetCount());
    const Psn end = reach.IsBefore(*m_recoveryEnd) ? reach : *m_recoveryEnd;
    if (first.IsBefore(end))
    {
        board.AppendMissing(first, end, lost);
        m_nextSuspect = end;
    }
    return lost;
}

LostPackets
Sleek::OnTimeout(const Scoreboard& board, Time)
{
    const Psn oldest = board.GetLongestOut();
    return {{oldest, oldest + 1}};
}

LostPackets
Sleek::OnRnrNak(const Scoreboard& board)
{
    return board.GetMissing();
}

LostPackets
Sleek::OnMissingResponse(const Scoreboard& board)
{
    return {{board.GetUnacked(), board.GetUnacked() + 1}};
}

} // namespace ns3::rdma
