// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/counted-flight.h"

#include "ns3/flight-state.h"
#include "ns3/opcode.h"
#include "ns3/register-type.h"

#include <algorithm>

namespace ns3::rdma
{

RDMA_REGISTER_CLASS(CountedFlights, FlightFactory, "RdmaNic");

std::unique_ptr<Flight>
CountedFlights::Make(FlightState& state, const RequesterParts& parts) const
{
    return std::make_unique<CountedFlight>(state, parts);
}

CountedFlight::CountedFlight(FlightState& state, const RequesterParts& parts)
    : Flight(state),
      m_routes(parts.entropySelector, parts.entropy, parts.planes, parts.peerPorts),
      m_resendsTrimmed(
          state.Call("GetTraits()", [&] { return state.detector->GetTraits(); }).resendsTrimmed)
{
}

uint64_t
CountedFlight::GetAhead() const
{
    return m_state.window.GetNext() - m_state.window.GetUnacked();
}

bool
CountedFlight::IsFarAhead() const
{
    const uint32_t limit = m_state.rules->heldLimit;
    return limit > 0 && GetAhead() >= limit;
}

bool
CountedFlight::CanSend() const
{
    const PacketWindow& window = m_state.window;
    const bool hasPacket =
        window.HasLost() || (!m_state.isBroken && !IsFarAhead() && window.HasNext(*m_state.rules));
    return hasPacket && (m_packets == 0 || (m_packets + 1) * m_state.rules->path.packetBytes <=
                                               m_state.pacer.GetWindowBytes());
}

void
CountedFlight::Prepare(OutgoingPacket& packet, uint64_t, uint32_t plane, Tick now)
{
    packet.hasEntropy = m_routes.GetSelector() != nullptr;
    packet.entropy = m_routes.Choose(plane, GetInFlightBytes(), now);
}

void
CountedFlight::OnSent(const OutgoingPacket& packet, uint32_t, Tick now)
{
    ++m_packets;
    const PacketWindow& window = m_state.window;
    if (packet.psn.Expand(window.GetUnacked()) < window.GetQueue().GetOldest().endPacket)
    {
        m_lastDeparture = now;
    }
}

uint64_t
CountedFlight::GetInFlightBytes() const
{
    return m_packets * m_state.rules->path.packetBytes;
}

bool
CountedFlight::HandlesAnswer(const Frame& answer) const
{
    return answer.IsReport();
}

uint32_t
CountedFlight::TakeCount(const Frame& answer)
{
    const auto growth = static_cast<int32_t>(answer.receivedBytes - m_count);
    if (growth <= 0)
    {
        return 0; // A later answer has overtaken this one.
    }
    m_count = answer.receivedBytes;
    m_packets -= std::min<uint64_t>(m_packets, static_cast<uint32_t>(growth));
    return static_cast<uint32_t>(growth);
}

uint64_t
CountedFlight::FindMessageStart(uint64_t acknowledged) const
{
    const PacketWindow& window = m_state.window;
    const uint32_t limit = m_state.rules->heldLimit;
    if (acknowledged <= window.GetUnacked() || acknowledged >= window.GetQueue().GetEnd() ||
        (limit > 0 && GetAhead() >= limit / 2))
    {
        return acknowledged;
    }
    return window.GetQueue().Find(acknowledged).firstPacket;
}

void
CountedFlight::OnReport(const ReceivedAnswer& answer, Completions& completions, Tick now)
{
    const Frame& frame = answer.frame;
    if (frame.syndrome != syndrome::ACK)
    {
        OnReturned(frame, now); // The receiver had no room for it.
        return;
    }
    const PathInfo& path = m_state.rules->path;
    const uint64_t arrived = TakeCount(frame);
    const bool hasAdvanced = m_state.Advance(FindMessageStart(answer.acknowledged), completions);
    UpdateTimer(hasAdvanced, now);
    const bool isCeEchoed = (frame.flags & frame_flag::CE_ECHO) != 0;
    ++(isCeEchoed ? m_counts.marked : m_counts.good);
    m_routes.Signal(frame.echoedEntropy, isCeEchoed ? RouteSignal::MARKED : RouteSignal::GOOD, now);
    AckEvent event{};
    event.now = ToTime(now);
    event.rtt = ToTime(now - frame.sendTime);
    event.ackedBytes = arrived * path.mtuBytes; // In any order.
    event.inFlightBytes = GetInFlightBytes();
    event.isCeEchoed = isCeEchoed;
    event.markedBytes = isCeEchoed ? event.ackedBytes : 0;
    event.unsentBytes = m_state.window.GetUnsentBytes();
    event.hostTime = answer.way.hostTime > 0 ? ToTime(answer.way.hostTime) : Time();
    event.path = answer.way.path;
    event.receivedBytes = arrived * path.packetBytes;
    m_state.pacer.OnAck(event, *m_state.rules, now);
    m_state.AddRtt(now - frame.sendTime);
    m_state.isSooner = true; // Less is in flight.
}

void
CountedFlight::OnTrimNotice(const Frame& frame, Tick now)
{
    OnReturned(frame, now);
}

void
CountedFlight::OnReturned(const Frame& frame, Tick now)
{
    const uint64_t inFlight = GetInFlightBytes();
    TakeCount(frame);
    m_state.isSooner = true;
    PacketWindow& window = m_state.window;
    const uint64_t number = Psn(frame.ack.selectivePsn).Expand(window.GetUnacked());
    if (number < window.GetUnacked() || number >= window.GetNext())
    {
        return; // Its message is complete.
    }
    ++m_state.onDemand.GetRare().naks;
    ++m_counts.trimmed;
    const bool isLastHop = (frame.flags & frame_flag::LAST_HOP) != 0;
    const auto packetBytes =
        static_cast<uint32_t>(m_state.GetWireBytes(window.GetQueue().GetPayloadBytes(number)));
    m_state.pacer.OnTrim({ToTime(now), packetBytes, inFlight, isLastHop}, *m_state.rules, now);
    m_routes.Signal(frame.echoedEntropy, isLastHop ? RouteSignal::GOOD : RouteSignal::TRIMMED, now);
    AckReport report{};
    report.cumulative = Psn(window.GetUnacked());
    report.cause = Psn(number);
    report.rtt = ToTime(now - frame.sendTime);
    report.isNak = true;
    report.isTrimmed = true;
    const LostPackets lost = m_state.Call("OnReport()", [&] {
        return m_state.detector->OnReport(report, window.GetBoard(), ToTime(now));
    });
    m_state.UpdateDetector();
    m_state.Apply("OnReport()", lost, now);
    if (m_resendsTrimmed)
    {
        window.AddLost(number, number + 1);
    }
}

void
CountedFlight::OnNotice(const Frame& frame, Tick)
{
    if (frame.GetKind() == FrameKind::PORTS)
    {
        m_routes.OnPeerPorts(frame.usablePorts);
        m_state.isSooner = true;
    }
}

void
CountedFlight::OnArrivedBefore(uint64_t)
{
    // The window forgets them. The receiver's next answer counts them.
}

uint64_t
CountedFlight::OnLost(uint64_t, uint64_t, uint64_t payload, Tick)
{
    return payload; // The receiver counts those of them that arrive.
}

void
CountedFlight::RestartTimer(Tick now)
{
    m_lastDeparture = now;
    m_state.timer.Start(*m_state.rules->timeout, m_state.GetAwaited(now));
}

void
CountedFlight::UpdateTimer(bool hasAdvanced, Tick now)
{
    const bool hasNone = m_state.window.IsAllAcknowledged();
    if (hasNone)
    {
        m_packets = 0;
    }
    if (hasNone && !m_state.window.AwaitsReads())
    {
        m_state.timer.Stop();
    }
    else if (hasAdvanced || hasNone)
    {
        m_state.timer.ForgetRetries();
        RestartTimer(now);
    }
}

bool
CountedFlight::OnDeadline(Tick now)
{
    const RequesterRules& rules = *m_state.rules;
    RetransmissionTimer& timer = m_state.timer;
    if (timer.GetExpiry() > now ||
        !timer.Expires(now, *rules.timeout, m_state.GetAwaited(m_lastDeparture)))
    {
        return true;
    }
    ++m_state.timeouts;
    if (timer.GetRetries() >= rules.retryCount)
    {
        ++m_state.onDemand.GetRare().idleTimeouts;
        return false;
    }
    timer.CountRetry();
    ++m_counts.timedOut;
    m_state.hasMissedResponse = false;
    m_packets = 0;
    const uint64_t lostBytes = ResendOldest(now);
    m_state.pacer.OnTimeout({ToTime(now), lostBytes, GetInFlightBytes(), timer.GetRetries()},
                            rules,
                            now);
    RestartTimer(now);
    m_state.isSooner = true;
    return true;
}

uint64_t
CountedFlight::ResendOldest(Tick now)
{
    PacketWindow& window = m_state.window;
    if (window.IsAllAcknowledged())
    {
        // All requests have arrived, a READ's response has not: request it again.
        const Message& read = window.GetQueue().GetOldest();
        window.AddLost(read.firstPacket, read.endPacket);
        return 0;
    }
    const uint64_t oldest = window.GetUnacked();
    const uint64_t end = std::min(window.GetQueue().Find(oldest).endPacket, window.GetNext());
    const LostPackets lost = m_state.Trigger(LossTrigger::TIMEOUT, {oldest, end}, now);
    m_state.UpdateDetector();
    return m_state.Apply(FlightState::TRIGGER_CALL, lost, now);
}

EntropyRoutes*
CountedFlight::FindRoutes()
{
    return m_routes.GetSelector() ? &m_routes : nullptr;
}

bool
CountedFlight::TakesReports() const
{
    return true;
}

FlightCounts
CountedFlight::GetCounts() const
{
    return m_counts;
}

} // namespace ns3::rdma
