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
                 "The same for small windows, packets (5: uet-htsim)")
            .Add("Probes",
                 Shared(&Sleek::m_parameters, &Parameters::probes, false),
                 "Whether the sender asks for a report by a probe when none comes (false: "
                 "uet-htsim with trimming; true: uet-htsim without)")
            .Add("TailProbe",
                 Shared(&Sleek::m_parameters, &Parameters::tailProbe, 2, 0.01, 1000),
                 "Time from a report to a probe if all has been sent, least RTTs (2: uet-htsim, 1 "
                 "and Nscc::LossTarget)")
            .Add("FirstProbe",
                 Shared(&Sleek::m_parameters, &Parameters::firstProbe, 3, 0.01, 1000),
                 "Time from a report to a probe otherwise, least RTTs (3: uet-htsim)")
            .Add("NextProbe",
                 Shared(&Sleek::m_parameters, &Parameters::nextProbe, 5, 0.01, 1000),
                 "Time from a probe to the next one, least RTTs (5: uet-htsim)")
            .Add("ProbeDelay",
                 Shared(&Sleek::m_parameters, &Parameters::probeDelay, 1, 0, 1000),
                 "Delay of a probe below which gaps are lost, base RTTs (1: uet-htsim, "
                 "Nscc::LossTarget)");
    return tid;
}

DetectorTraits
Sleek::GetTraits() const
{
    DetectorTraits traits;
    traits.responder = {m_parameters->receiverPackets, true};
    traits.needsOnSent = false;
    return traits;
}

bool
Sleek::IsBeyondReordering(const AckReport& report) const
{
    const double packets =
        m_parameters->windows * static_cast<double>(report.windowBytes) / report.packetBytes;
    return report.received.held >= std::max<double>(packets, m_parameters->minPackets);
}

bool
Sleek::IsPrompt(const AckReport& report) const
{
    return report.isProbe && report.rtt - m_leastRtt < report.baseRtt * m_parameters->probeDelay;
}

void
Sleek::ArmProbe(const AckReport& report, bool isEmpty, Time now)
{
    m_leastRtt = std::min(m_leastRtt, report.baseRtt);
    if (report.hasRtt)
    {
        m_leastRtt = std::min(m_leastRtt, report.rtt);
    }
    const double wait = report.isAllSent ? m_parameters->tailProbe : m_parameters->firstProbe;
    m_probeTime = isEmpty ? Time::Max() : now + m_leastRtt * wait;
}

LostPackets
Sleek::OnReport(const AckReport& report, const Scoreboard& board, Time now)
{
    LostPackets lost;
    if (report.isTrimmed)
    {
        lost.push_back({report.cause, report.cause + 1});
        return lost;
    }
    if (m_parameters->probes && report.packetBytes > 0)
    {
        ArmProbe(report, board.GetCount() == 0, now);
    }
    const Psn unacked = board.GetUnacked();
    if (m_recoveryEnd && !unacked.IsBefore(*m_recoveryEnd))
    {
        m_recoveryEnd.reset();
        m_nextSuspect.reset();
    }
    const bool isPrompt = m_parameters->probes && IsPrompt(report);
    if (!m_parameters->countsGaps || report.packetBytes == 0 ||
        (!m_recoveryEnd && !isPrompt && !IsBeyondReordering(report)))
    {
        return lost;
    }
    if (!m_recoveryEnd || isPrompt)
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

NextLook
Sleek::GetNextLook() const
{
    NextLook next;
    next.probe = m_probeTime;
    next.resendsBeyondWindow = m_parameters->probes && m_recoveryEnd;
    return next;
}

LostPackets
Sleek::OnTimeout(const Scoreboard& board)
{
    const Psn oldest = board.GetLongestOut();
    if (m_parameters->probes && m_recoveryEnd && board.GetUnacked().IsBefore(*m_recoveryEnd))
    {
        if (oldest.IsBefore(*m_nextSuspect))
        {
            m_nextSuspect = oldest;
        }
        return {};
    }
    return {{oldest, oldest + 1}};
}

LostPackets
Sleek::OnTrigger(LossTrigger trigger, const Scoreboard& board, Time now)
{
    switch (trigger)
    {
    case LossTrigger::TIMEOUT:
        return OnTimeout(board);
    case LossTrigger::MISSING_RESPONSE:
        return {{board.GetUnacked(), board.GetUnacked() + 1}};
    case LossTrigger::PROBE:
        m_probeTime = now + m_leastRtt * m_parameters->nextProbe;
        return {};
    default:
        return LossDetector::OnTrigger(trigger, board, now);
    }
}

} // namespace ns3::rdma
