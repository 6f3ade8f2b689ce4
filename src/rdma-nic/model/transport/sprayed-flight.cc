// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/sprayed-flight.h"

#include "ns3/cumulative-flight.h"

#include <algorithm>

namespace ns3::rdma
{

SprayedFlight::SprayedFlight(FlightState& state, const RequesterParts& parts)
    : Flight(state),
      m_resendsTrimmed(
          state.Call("GetTraits()", [&] { return state.detector->GetTraits(); }).resendsTrimmed),
      m_routes(parts.entropySelector, parts.entropy, parts.planes, parts.peerPorts),
      m_record(parts.initialPsn)
{
}

bool
SprayedFlight::CanSend() const
{
    return CumulativeFlight::CanSend(m_state);
}

void
SprayedFlight::Prepare(OutgoingPacket& packet, uint64_t, uint32_t plane, Tick now)
{
    packet.hasEntropy = m_routes.GetSelector() != nullptr;
    packet.entropy = m_routes.Choose(plane, GetInFlightBytes(), now);
}

void
SprayedFlight::OnSent(const OutgoingPacket& packet, uint32_t frameBytes, Tick now)
{
    const uint64_t unacked = m_state.window.GetUnacked();
    m_record.OnSent(packet.psn.Expand(unacked),
                    unacked,
                    MakeDeparture(packet.entropy, frameBytes, packet.asksForAck, now));
}

uint64_t
SprayedFlight::GetInFlightBytes() const
{
    return m_state.window.GetInFlightBytes();
}

RouteSignal
SprayedFlight::GetSignal(const Frame& answer)
{
    constexpr uint16_t TRIM_FLAGS{frame_flag::TRIMMED | frame_flag::LAST_HOP};
    if ((answer.flags & TRIM_FLAGS) == frame_flag::TRIMMED)
    {
        return RouteSignal::TRIMMED;
    }
    return answer.flags & frame_flag::CE_ECHO ? RouteSignal::MARKED : RouteSignal::GOOD;
}

void
SprayedFlight::SignalLoss(uint64_t number, RouteSignal signal, Tick now)
{
    m_counts.lost += signal == RouteSignal::LOST;
    m_counts.timedOut += signal == RouteSignal::TIMEOUT;
    m_routes.Signal(m_record.GetDeparture(number).entropy, signal, now);
}

void
SprayedFlight::OnAnswered(const Frame& answer, Tick now)
{
    const RouteSignal signal = GetSignal(answer);
    if (answer.GetKind() == FrameKind::PROBE_REPORT)
    {
        m_routes.OnProbeReply(answer.echoedEntropy, signal == RouteSignal::MARKED, now);
        return;
    }
    m_routes.Signal(answer.echoedEntropy, signal, now);
}

void
SprayedFlight::OnArrivedBefore(uint64_t number)
{
    RecordArrivals(number, false);
}

void
SprayedFlight::RecordArrivals(uint64_t number, bool isReport)
{
    PacketWindow& window = m_state.window;
    for (uint64_t arrived = window.GetUnacked(); arrived < number && window.HasLost(); ++arrived)
    {
        if (window.CancelLost(arrived))
        {
            m_record.OnArrivedAfterAll(arrived, isReport);
        }
    }
    m_record.OnArrivedBefore(number, isReport);
}

void
SprayedFlight::OnArrivedUnanswered(uint64_t number, bool isReport)
{
    PacketWindow& window = m_state.window;
    const RareFlightState* rare = m_state.onDemand.FindRare();
    uint64_t arrived = std::max(window.GetUnacked(), rare ? rare->arrivedEnd : 0);
    for (; arrived < number && window.HasLost(); ++arrived)
    {
        if (window.CancelLost(arrived))
        {
            m_record.OnArrivedAfterAll(arrived, isReport);
        }
    }
    m_record.OnArrivedUnanswered(number, isReport);
}

uint64_t
SprayedFlight::RecordLoss(uint64_t first, uint64_t end, Tick now)
{
    uint64_t bytes = 0;
    for (uint64_t number = first; number < end; ++number)
    {
        if (const uint32_t wireBytes = m_record.OnLost(number))
        {
            bytes += wireBytes;
            SignalLoss(number, RouteSignal::LOST, now);
        }
    }
    return bytes;
}

uint64_t
SprayedFlight::OnLost(uint64_t first, uint64_t end, uint64_t payload, Tick now)
{
    RecordLoss(first, end, now);
    return payload;
}

AckReport
SprayedFlight::MakeReport(const Frame& answer, Time rtt) const
{
    AckReport report{};
    report.cumulative = Psn(m_state.window.GetUnacked());
    report.cause = Psn(answer.ack.selectivePsn);
    report.rtt = rtt;
    report.isTrimmed = (answer.flags & frame_flag::TRIMMED) != 0;
    report.isNak = report.isTrimmed;
    report.isProbe = answer.GetKind() == FrameKind::PROBE_REPORT;
    report.isAllSent = m_state.window.GetUnsentBytes() == 0;
    report.baseRtt = m_state.rules->path.baseRtt;
    report.windowBytes = m_state.pacer.GetWindowBytes();
    report.packetBytes = m_state.rules->path.mtuBytes;
    return report;
}

void
SprayedFlight::OnTrimNotice(const Frame& frame, Tick now)
{
    const uint64_t number = Psn(frame.ack.selectivePsn).Expand(m_state.window.GetUnacked());
    const Departure* out = m_record.FindOut(number);
    if (!out)
    {
        return; // The packet has arrived since, or counts as lost already.
    }
    ++m_state.onDemand.GetRare().naks;
    ++m_counts.trimmed;
    TrimEvent trim{ToTime(now),
                   out->wireBytes,
                   m_record.GetBytes(),
                   (frame.flags & frame_flag::LAST_HOP) != 0};
    if (out->transmissions == 1U + ((frame.flags & frame_flag::ANSWERS_RESENT) != 0))
    {
        trim.rtt = ToTime(now - out->time);
    }
    m_state.isSooner |= m_state.pacer.OnTrim(trim, *m_state.rules, now);
    const AckReport report = MakeReport(frame, ToTime(now - out->time));
    const LostPackets lost = m_state.Call("OnReport()", [&] {
        return m_state.detector->OnReport(report, m_state.window.GetBoard(), ToTime(now));
    });
    m_state.UpdateDetector();
    if (Contains(lost, Psn(number)) || m_resendsTrimmed)
    {
        m_record.OnLost(number); // Its route is not the cause of a loss, but of a trim.
        m_state.window.AddLost(number, number + 1);
    }
    m_state.Apply("OnReport()", lost, now);
    OnAnswered(frame, now);
    UpdateTimer(false, now);
    m_state.isSooner = true; // It may be sent again.
}

bool
SprayedFlight::Contains(const LostPackets& lost, Psn psn)
{
    return std::any_of(lost.begin(), lost.end(), [&](const PsnRange& range) {
        return !psn.IsBefore(range.first) && psn.IsBefore(range.end);
    });
}

void
SprayedFlight::OnTimeout(Tick now)
{
    if (const auto oldest = m_record.FindOldest())
    {
        SignalLoss(*oldest, RouteSignal::TIMEOUT, now);
    }
}

void
SprayedFlight::UpdateTimer(bool hasAdvanced, Tick now)
{
    CumulativeFlight(m_state).UpdateTimer(hasAdvanced, now);
}

bool
SprayedFlight::OnDeadline(Tick now)
{
    return CumulativeFlight(m_state).OnDeadline(now);
}

void
SprayedFlight::OnNotice(const Frame& frame, Tick)
{
    if (frame.GetKind() == FrameKind::PORTS)
    {
        m_routes.OnPeerPorts(frame.usablePorts);
        m_state.isSooner = true;
    }
}

EntropyRoutes*
SprayedFlight::FindRoutes()
{
    return m_routes.GetSelector() ? &m_routes : nullptr;
}

FlightCounts
SprayedFlight::GetCounts() const
{
    return m_counts;
}

} // namespace ns3::rdma
