// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/reported-flight.h"

#include "ns3/assert.h"
#include "ns3/opcode.h"
#include "ns3/policy-error.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

namespace
{
/// Added to the timeout of a sender without credit: 1 ms, RTO_INIT of Ultra Ethernet.
constexpr Tick REQUEST_DELAY{1'000'000'000};
} // namespace

ReportedFlight::ReportedFlight(FlightState& state, const RequesterParts& parts)
    : SprayedFlight(state, parts)
{
    NS_ASSERT(state.rules->reports);
    if (GetRules().creditBytes > 0)
    {
        m_credit.emplace(GetRules().creditBytes);
    }
}

[[gnu::always_inline]] inline bool
ReportedFlight::HasPacket() const
{
    const PacketWindow& window = m_state.window;
    const uint32_t ahead = static_cast<uint32_t>(window.GetNext() - window.GetUnacked());
    return window.HasLost() || (!m_state.isBroken && ahead < m_state.rules->heldLimit &&
                                window.HasNext(*m_state.rules));
}

[[gnu::always_inline]] inline bool
ReportedFlight::FitsWindow() const
{
    const PacketWindow& window = m_state.window;
    const uint64_t windowBytes = m_state.pacer.GetWindowBytes();
    const uint64_t inFlight = m_record.GetBytes();
    if (inFlight == 0 || inFlight + m_state.rules->path.packetBytes <= windowBytes)
    {
        return true;
    }
    const bool isResend = window.HasLost();
    const uint64_t number = isResend ? window.GetFirstLost() : window.GetNext();
    const uint64_t own = m_state.GetWireBytes(window.GetQueue().GetPayloadBytes(number));
    return inFlight + own <= windowBytes || (isResend && m_state.GetNextLook().resendsBeyondWindow);
}

[[gnu::always_inline]] inline bool
ReportedFlight::HasCredit() const
{
    return !m_credit || m_credit->CanSend();
}

bool
ReportedFlight::CanSend() const
{
    return HasPacket() && HasCredit() && FitsWindow();
}

bool
ReportedFlight::LacksCredit() const
{
    const PacketWindow& window = m_state.window;
    return !HasCredit() && (window.HasLost() || window.GetNext() != window.GetKnownEnd());
}

void
ReportedFlight::Prepare(OutgoingPacket& packet, uint64_t number, uint32_t plane, Tick now)
{
    SprayedFlight::Prepare(packet, number, plane, now);
    packet.asksForAck = AsksForAck(packet);
    if (m_credit)
    {
        packet.creditTarget = GetCreditTarget(packet);
    }
}

uint32_t
ReportedFlight::GetCreditTarget(const OutgoingPacket& packet) const
{
    const PathInfo& path = m_state.rules->path;
    const uint64_t own = packet.isRetransmission ? 0 : packet.plan.payloadBytes;
    const uint64_t waiting =
        m_state.window.GetUnsentBytes() - own + m_state.window.CountLost() * path.mtuBytes;
    const uint64_t onWire = waiting * path.packetBytes / path.mtuBytes;
    const uint64_t window = m_state.pacer.GetWindowBytes();
    return m_credit->GetTarget(m_state.GetWireBytes(packet.plan.payloadBytes),
                               onWire > window ? std::min(onWire, window + path.packetBytes)
                                               : onWire,
                               path.packetBytes);
}

bool
ReportedFlight::AsksForAck(const OutgoingPacket& packet) const
{
    // Nothing can follow this packet before an answer.
    const uint64_t bytes = m_state.GetWireBytes(packet.plan.payloadBytes);
    const bool endsCredit = m_credit && m_credit->GetBytes() <= static_cast<int64_t>(bytes);
    return packet.isRetransmission || m_state.window.EndsBurst(packet.plan, *m_state.rules) ||
           endsCredit || m_record.GetBytes() + 2 * bytes >= m_state.pacer.GetWindowBytes();
}

void
ReportedFlight::OnSent(const OutgoingPacket& packet, uint32_t frameBytes, Tick now)
{
    if (m_credit)
    {
        // A request that is sent again for its response uses credit, too.
        m_credit->OnSent(frameBytes, packet.creditTarget);
    }
    SprayedFlight::OnSent(packet, frameBytes, now);
}

uint64_t
ReportedFlight::GetInFlightBytes() const
{
    return m_record.GetBytes();
}

void
ReportedFlight::TakeBitmap(const SackBitmap& bitmap)
{
    PacketWindow& window = m_state.window;
    const uint64_t first = bitmap.base.Expand(window.GetUnacked());
    // Only the packets that no earlier report has named.
    const uint64_t known = window.GetBoard().GetHeldBits(Psn(first));
    for (uint64_t bits = bitmap.bits & ~known; bits != 0; bits &= bits - 1)
    {
        const uint64_t number = first + static_cast<uint32_t>(__builtin_ctzll(bits));
        if (number >= window.GetUnacked() && number < window.GetNext())
        {
            if (window.CancelLost(number))
            {
                m_record.OnArrivedAfterAll(number, true);
            }
            m_record.OnArrived(number);
            window.Hold(number, *m_state.rules);
        }
    }
}

void
ReportedFlight::EndSpeculation()
{
    if (m_credit)
    {
        m_credit->EndSpeculation();
    }
}

void
ReportedFlight::OnTrimNotice(const Frame& frame, Tick now)
{
    EndSpeculation();
    SprayedFlight::OnTrimNotice(frame, now);
    RequestReport(now);
}

bool
ReportedFlight::HandlesAnswer(const Frame& answer) const
{
    return answer.syndrome == syndrome::ACK;
}

void
ReportedFlight::OnReport(const ReceivedAnswer& answer, Completions& completions, Tick now)
{
    const Frame& frame = answer.frame;
    EndSpeculation();
    m_probesInRow = 0;
    m_hasAskedForReport = false; // A probe may overtake the packets that are to be reported.
    const uint64_t cause = Psn(frame.ack.selectivePsn).Expand(m_state.window.GetUnacked());
    const Departure* out = m_record.FindOut(cause);
    // It is known which transmission the answer belongs to: the only one, or the second of two.
    const uint32_t transmissions = frame.flags & frame_flag::ANSWERS_RESENT ? 2 : 1;
    const bool isCeEchoed = (frame.flags & frame_flag::CE_ECHO) != 0;
    AckEvent event{};
    event.now = ToTime(now);
    event.rtt = ToTime(now - frame.sendTime);
    event.hasRtt =
        frame.GetKind() == FrameKind::PROBE_REPORT || (out && out->transmissions == transmissions);
    event.receivedBytes = m_record.OnCounter(frame.receivedBytes);
    const uint64_t ackedBefore = m_state.window.GetAcknowledgedBytes();
    RecordArrivals(answer.acknowledged, true);
    const bool hasAdvanced = m_state.Advance(answer.acknowledged, completions);
    AckReport report = MakeReport(frame, event.rtt);
    report.hasRtt = event.hasRtt;
    if (answer.detail && (frame.flags & frame_flag::DETAILED))
    {
        report.received.bitmap = {Psn(answer.detail->range.base), answer.detail->bits};
        report.received.held = answer.detail->range.held;
        TakeBitmap(report.received.bitmap);
    }
    ++(isCeEchoed ? m_counts.marked : m_counts.good);
    m_counts.held = report.received.held;
    m_counts.mostHeld = std::max(m_counts.mostHeld, m_counts.held);
    OnAnswered(frame, now);
    event.ackedBytes = m_state.window.GetAcknowledgedBytes() - ackedBefore;
    event.inFlightBytes = m_record.GetBytes();
    event.isCeEchoed = isCeEchoed;
    event.markedBytes = isCeEchoed ? event.ackedBytes : 0;
    event.unsentBytes = m_state.window.GetUnsentBytes();
    event.hostTime = answer.way.hostTime > 0 ? ToTime(answer.way.hostTime) : Time();
    m_state.isSooner |= m_state.pacer.OnAck(event, *m_state.rules, now);
    m_state.AddRtt(now - frame.sendTime);
    if (m_state.needsAck)
    {
        report.windowBytes = m_state.pacer.GetWindowBytes();
        m_state.Report(report, now);
    }
    UpdateProbeTime();
    RequestReport(now);
    // If only responses are missing, each answer shows that the peer is reachable.
    const bool awaitsOnlyReads = m_state.window.IsAllAcknowledged() && m_state.window.AwaitsReads();
    UpdateTimer(hasAdvanced || awaitsOnlyReads, now);
    m_state.isSooner = true; // Less is in flight.
}

Tick
ReportedFlight::GetLossProbeTime() const
{
    return ToTick(m_state.GetNextLook().probe);
}

void
ReportedFlight::UpdateProbeTime()
{
    const bool canProbe = GetRules().hasProbes && !m_state.window.IsAllAcknowledged();
    m_probeTime = canProbe ? std::min(GetLossProbeTime(), m_routes.GetProbeTime()) : TICK_NEVER;
}

bool
ReportedFlight::NeedsReport() const
{
    return GetRules().requestsReports && GetRules().hasProbes && !m_hasAskedForReport &&
           !m_record.AwaitsReport() && HasCredit() && !m_state.isBroken && HasPacket() &&
           !FitsWindow();
}

void
ReportedFlight::RequestReport(Tick now)
{
    if (NeedsReport())
    {
        m_probeTime = now;
    }
}

void
ReportedFlight::CountProbe(const Object& policy, const char* call)
{
    constexpr uint32_t MOST{100'000}; // A policy that probes every picosecond would never end.
    if (++m_probesInRow > MOST)
    {
        FailPolicy(policy,
                   call,
                   "at most " + std::to_string(MOST) + " times of probes without a report",
                   "one more");
    }
}

ReportProbe
ReportedFlight::MakeProbe(Tick now)
{
    return {Psn(m_state.window.GetNext()) + Psn::MASK,
            m_routes.GetSelector() != nullptr,
            m_routes.Choose(0, GetInFlightBytes(), now)};
}

void
ReportedFlight::MakeProbes(Tick now)
{
    if (NeedsReport())
    {
        m_hasAskedForReport = true;
        m_probes.push_back(MakeProbe(now));
    }
    if (m_routes.GetProbeTime() <= now)
    {
        CountProbe(*m_routes.GetSelector(), "GetProbeTime()");
        if (const auto entropy = m_routes.TakeProbe(now))
        {
            m_probes.push_back({Psn(m_state.window.GetNext()) + Psn::MASK, true, *entropy});
        }
    }
    if (GetLossProbeTime() <= now)
    {
        CountProbe(*m_state.detector, "GetNextLook()");
        const LostPackets lost =
            m_state.Trigger(LossTrigger::PROBE, m_state.window.GetBoard(), now);
        m_state.ApplyAnswer(FlightState::TRIGGER_CALL, lost, now);
        if (!lost.empty())
        {
            UpdateTimer(false, now);
            m_state.isSooner = true;
        }
        if (GetLossProbeTime() <= now)
        {
            FailPolicy(*m_state.detector,
                       "GetNextLook()",
                       "a probe after now, " + DescribeTick(now),
                       DescribeTick(GetLossProbeTime()));
        }
        m_probes.push_back(MakeProbe(now));
    }
    UpdateProbeTime();
}

std::vector<ReportProbe>
ReportedFlight::TakeProbes()
{
    return std::exchange(m_probes, {});
}

Tick
ReportedFlight::GetDeadline() const
{
    return m_probeTime;
}

void
ReportedFlight::Stop()
{
    m_probeTime = TICK_NEVER;
}

AwaitedAnswer
ReportedFlight::AwaitOldest(uint64_t oldest) const
{
    const Departure& departure = m_record.GetDeparture(oldest);
    AwaitedAnswer awaited = m_state.GetAwaited(departure.time);
    awaited.consecutive = departure.expiries;
    return awaited;
}

bool
ReportedFlight::OnDeadline(Tick now)
{
    if (m_probeTime <= now)
    {
        MakeProbes(now);
    }
    RetransmissionTimer& timer = m_state.timer;
    if (timer.GetExpiry() > now)
    {
        return true;
    }
    const RequesterRules& rules = *m_state.rules;
    const auto oldest = m_record.FindOldest();
    const AwaitedAnswer awaited =
        oldest ? AwaitOldest(*oldest) : m_state.GetAwaited(timer.GetStart());
    if (awaited.start != timer.GetStart())
    {
        timer.Start(*rules.timeout, awaited); // Packets were sent without a look at it.
    }
    if (!timer.Expires(now, *rules.timeout, awaited))
    {
        return true;
    }
    ++m_state.timeouts;
    if (awaited.consecutive >= rules.retryCount)
    {
        ++m_state.onDemand.GetRare().idleTimeouts;
        return false;
    }
    if (m_credit)
    {
        m_credit->OnTimeout();
    }
    uint64_t lostBytes = 0;
    if (oldest)
    {
        m_record.CountExpiry(*oldest);
        const auto bytes = OnTimeoutOf(*oldest, now);
        if (!bytes)
        {
            ++m_state.onDemand.GetRare().idleTimeouts;
            m_record.Restart(*oldest, now);
            UpdateTimer(false, now);
            return true;
        }
        lostBytes = *bytes;
    }
    else
    {
        timer.CountRetry();
        m_state.onDemand.GetRare().idleTimeouts += !ResendUnanswered();
    }
    const LossEvent loss{ToTime(now), lostBytes, GetInFlightBytes(), awaited.consecutive + 1};
    m_state.isSooner |= m_state.pacer.OnTimeout(loss, rules, now);
    timer.Stop();
    m_hasAskedForReport = false;
    RequestReport(now);
    UpdateTimer(false, now);
    m_state.isSooner = true;
    return true;
}

std::optional<uint64_t>
ReportedFlight::OnTimeoutOf(uint64_t oldest, Tick now)
{
    Scoreboard board = m_state.window.GetBoard();
    board.SetLongestOut(oldest);
    SignalLoss(oldest, RouteSignal::TIMEOUT, now);
    const LostPackets lost = m_state.Trigger(LossTrigger::TIMEOUT, board, now);
    m_state.UpdateDetector();
    if (lost.empty() && GetRules().hasProbes)
    {
        return std::nullopt;
    }
    const Psn psn(oldest);
    if (!lost.empty() && !Contains(lost, psn))
    {
        m_record.Restart(oldest, now); // The detector has returned other packets.
        return m_state.Apply(FlightState::TRIGGER_CALL, lost, now);
    }
    const uint64_t bytes = m_record.OnLost(oldest);
    const LostPackets resent = lost.empty() ? LostPackets{{psn, psn + 1}} : lost;
    return bytes + m_state.Apply(FlightState::TRIGGER_CALL, resent, now);
}

bool
ReportedFlight::ResendUnanswered()
{
    PacketWindow& window = m_state.window;
    if (window.AwaitsReads())
    {
        const Message& read = window.GetQueue().GetOldest();
        window.AddLost(read.firstPacket, read.endPacket);
        return true;
    }
    if (IsOldestUnanswered())
    {
        window.AddLost(window.GetUnacked(), window.GetUnacked() + 1);
        return true;
    }
    return false; // Only credit is missing.
}

bool
ReportedFlight::IsOldestUnanswered() const
{
    return !m_state.window.IsAllAcknowledged() && !m_state.window.HasLost();
}

void
ReportedFlight::OnNotice(const Frame& frame, Tick now)
{
    if (frame.GetKind() == FrameKind::PORTS)
    {
        SprayedFlight::OnNotice(frame, now);
        return;
    }
    if (m_credit)
    {
        m_credit->EndSpeculation();
        m_credit->OnGrant(frame.grantedCredit);
    }
    m_state.isSooner = true;
    UpdateTimer(false, now);
}

void
ReportedFlight::UpdateTimer(bool hasAdvanced, Tick now)
{
    RetransmissionTimer& timer = m_state.timer;
    const RetransmissionTimeout& timeout = *m_state.rules->timeout;
    if (hasAdvanced)
    {
        timer.ForgetRetries();
    }
    if (const auto oldest = m_record.FindOldest())
    {
        const AwaitedAnswer awaited = AwaitOldest(*oldest);
        if (!timer.IsRunning() || timer.GetStart() != awaited.start || hasAdvanced)
        {
            timer.Start(timeout, awaited);
        }
        return;
    }
    m_record.OnNoneOut();
    const bool awaitsReads = m_state.window.AwaitsReads();
    if (!awaitsReads && !LacksCredit() && !IsOldestUnanswered())
    {
        timer.Stop();
    }
    else if (!timer.IsRunning() || hasAdvanced)
    {
        // A demand that has reached the receiver is granted without another request: only after
        // a lost grant does the sender wait so long.
        timer.Start(timeout, m_state.GetAwaited(now + (awaitsReads ? 0 : REQUEST_DELAY)));
    }
}

uint64_t
ReportedFlight::OnLost(uint64_t first, uint64_t end, uint64_t, Tick now)
{
    const uint64_t bytes = RecordLoss(first, end, now);
    if (!m_record.FindOldest())
    {
        m_record.OnNoneOut(); // An RNR NAK stops the timer: UpdateTimer() is not called.
    }
    return bytes;
}

bool
ReportedFlight::TakesReports() const
{
    return true;
}

const CreditAccount*
ReportedFlight::GetCredit() const
{
    return m_credit ? &*m_credit : nullptr;
}

} // namespace ns3::rdma
