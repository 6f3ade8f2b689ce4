// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/policy-error.h"
#include "ns3/requester.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{
/// Added to the timeout of a sender without credit: 1 ms, RTO_INIT of Ultra Ethernet.
constexpr Tick REQUEST_DELAY{1'000'000'000};
} // namespace

uint32_t
Requester::GetFrameBytes(uint64_t number) const
{
    const PathInfo& path = m_rules->path;
    return m_window.GetQueue().GetPayloadBytes(number) + path.packetBytes - path.mtuBytes;
}

[[gnu::always_inline]] inline bool
Requester::HasReportedPacket() const
{
    const uint32_t ahead = static_cast<uint32_t>(m_window.GetNext() - m_window.GetUnacked());
    return m_window.HasLost() ||
           (!m_isBroken && ahead < m_rules->heldLimit && m_window.HasNext(*m_rules));
}

[[gnu::always_inline]] inline bool
Requester::FitsWindow(uint64_t windowBytes) const
{
    const bool isResend = m_window.HasLost();
    const uint64_t inFlight = m_extras->flight->GetBytes();
    return inFlight == 0 || inFlight + m_rules->path.packetBytes <= windowBytes ||
           inFlight + GetFrameBytes(isResend ? m_window.GetFirstLost() : m_window.GetNext()) <=
               windowBytes ||
           (isResend && CallPolicy(*m_detector, "ResendsBeyondWindow()", [&] {
                return m_detector->ResendsBeyondWindow();
            }));
}

[[gnu::always_inline]] inline bool
Requester::CanSendReported(uint64_t windowBytes) const
{
    return HasReportedPacket() && m_extras->flight->HasCredit() && FitsWindow(windowBytes);
}

bool
Requester::CanSendSpecial(uint64_t windowBytes) const
{
    if (m_hasFlight && m_rules->sendsReports)
    {
        return CanSendReported(windowBytes);
    }
    if (m_window.HasLost())
    {
        return !m_goesBack || m_window.CanSendAgain(m_window.GetFirstLost(), windowBytes);
    }
    return !m_isBroken && m_window.CanSendNext(windowBytes, *m_rules);
}

bool
Requester::LacksCredit() const
{
    return !m_extras->flight->HasCredit() &&
           (m_window.HasLost() || m_window.GetNext() != m_window.GetKnownEnd());
}

void
Requester::ChooseRoute(Outgoing& packet, uint64_t number, uint32_t plane, Tick now)
{
    ReportedFlight& flight = *m_extras->flight;
    packet.hasEntropy = flight.GetSelector() != nullptr;
    packet.entropy = flight.ChooseEntropy(plane, GetInFlightBytes(), now);
    if (!m_rules->sendsReports)
    {
        return;
    }
    packet.asksForAck = AsksForAck(packet, number);
    if (m_rules->creditBytes > 0)
    {
        const PathInfo& path = m_rules->path;
        const uint64_t own = packet.isRetransmission ? 0 : packet.plan.payloadBytes;
        const uint64_t waiting =
            m_window.GetUnsentBytes() - own + m_window.CountLost() * path.mtuBytes;
        const uint64_t onWire = waiting * path.packetBytes / path.mtuBytes;
        const uint64_t window = m_pacer.GetWindowBytes();
        packet.creditTarget = flight.GetCredit()->GetTarget(
            packet.plan.payloadBytes + path.packetBytes - path.mtuBytes,
            onWire > window ? std::min(onWire, window + path.packetBytes) : onWire,
            path.packetBytes);
    }
}

bool
Requester::AsksForAck(const Outgoing& packet, uint64_t number) const
{
    // The packet fills the window, or is the last one for now.
    const uint64_t bytes =
        packet.plan.payloadBytes + m_rules->path.packetBytes - m_rules->path.mtuBytes;
    return packet.isRetransmission || number + packet.plan.count == m_window.GetKnownEnd() ||
           m_extras->flight->EndsCredit(bytes) ||
           m_extras->flight->GetBytes() + 2 * bytes >= m_pacer.GetWindowBytes();
}

void
Requester::TakeBitmap(const FrameDetail& detail)
{
    const uint64_t first = Psn(detail.range.base).Expand(m_window.GetUnacked());
    // Only the packets that no earlier report has named.
    const uint64_t known = m_window.GetBoard().GetHeldBits(Psn(first));
    for (uint64_t bits = detail.bits & ~known; bits != 0; bits &= bits - 1)
    {
        const uint64_t number = first + static_cast<uint32_t>(__builtin_ctzll(bits));
        if (number >= m_window.GetUnacked() && number < m_window.GetNext())
        {
            if (m_window.CancelLost(number))
            {
                m_extras->flight->OnArrivedAfterAll(number, true);
            }
            m_extras->flight->OnArrived(number);
            m_window.Hold(number, *m_rules);
        }
    }
}

void
Requester::SignalRoute(const Frame& answer, Tick now)
{
    constexpr uint16_t TRIM_FLAGS{frame_flag::TRIMMED | frame_flag::LAST_HOP};
    RouteSignal signal = RouteSignal::GOOD;
    if ((answer.flags & TRIM_FLAGS) == frame_flag::TRIMMED)
    {
        signal = RouteSignal::TRIMMED;
    }
    else if (answer.flags & frame_flag::CE_ECHO)
    {
        signal = RouteSignal::MARKED;
    }
    if (answer.flags & frame_flag::PROBE)
    {
        m_extras->flight->OnProbeReply(answer.echoedEntropy, signal == RouteSignal::MARKED, now);
        return;
    }
    m_extras->flight->Signal(answer.echoedEntropy, signal, now);
}

AckReport
Requester::MakeReport(const Frame& answer, Time rtt) const
{
    AckReport report{};
    report.cumulative = Psn(m_window.GetUnacked());
    report.cause = Psn(answer.ack.selectivePsn);
    report.rtt = rtt;
    report.isTrimmed = (answer.flags & frame_flag::TRIMMED) != 0;
    report.isNak = report.isTrimmed;
    report.isProbe = (answer.flags & frame_flag::PROBE) != 0;
    report.isAllSent = m_window.GetUnsentBytes() == 0;
    report.baseRtt = m_rules->path.baseRtt;
    report.windowBytes = m_pacer.GetWindowBytes();
    report.packetBytes = m_rules->path.mtuBytes;
    return report;
}

void
Requester::OnTrimNotice(const Frame& frame, Tick now)
{
    m_extras->flight->OnAnswer();
    const uint64_t number = Psn(frame.ack.selectivePsn).Expand(m_window.GetUnacked());
    const Departure* out = m_extras->flight->FindOut(number);
    if (!out)
    {
        return; // The packet has arrived since, or counts as lost already.
    }
    ++GetExtras().naks;
    m_extras->flight->CountTrim();
    TrimEvent trim{ToTime(now),
                   out->wireBytes,
                   m_extras->flight->GetBytes(),
                   (frame.flags & frame_flag::LAST_HOP) != 0};
    if (out->transmissions == 1U + ((frame.flags & frame_flag::ANSWERS_RESENT) != 0))
    {
        trim.rtt = ToTime(now - out->time);
    }
    m_isSooner |= m_pacer.OnTrim(trim, *m_rules, now);
    const AckReport report = MakeReport(frame, ToTime(now - out->time));
    const LostPackets lost = CallPolicy(*m_detector, "OnReport()", [&] {
        return m_detector->OnReport(report, m_window.GetBoard(), ToTime(now));
    });
    UpdateDetector();
    if (Contains(lost, number) ||
        CallPolicy(*m_detector, "ResendsTrimmed()", [&] { return m_detector->ResendsTrimmed(); }))
    {
        m_extras->flight->OnLost(number); // Its route is not the cause of a loss, but of a trim.
        m_window.AddLost(number, number + 1);
    }
    Apply("OnReport()", lost, now);
    SignalRoute(frame, now);
    RequestReport(now);
    UpdateReportedTimer(false, now);
    m_isSooner = true; // It may be sent again.
}

bool
Requester::Contains(const LostPackets& lost, uint64_t number) const
{
    return std::any_of(lost.begin(), lost.end(), [&](const PsnRange& range) {
        return number >= range.first.Expand(m_window.GetUnacked()) &&
               number < range.end.Expand(m_window.GetUnacked());
    });
}

void
Requester::OnArrivedUnanswered(uint64_t end, bool hasCounter)
{
    for (uint64_t number = std::max(m_window.GetUnacked(), m_extras->arrivedEnd);
         number < end && m_window.HasLost();
         ++number)
    {
        if (m_window.CancelLost(number))
        {
            m_extras->flight->OnArrivedAfterAll(number, hasCounter);
        }
    }
    m_extras->flight->OnArrivedUnanswered(end, hasCounter);
}

bool
Requester::AdvanceReported(uint64_t acknowledged, bool hasCounter, Completions& completions)
{
    for (uint64_t number = m_window.GetUnacked(); number < acknowledged && m_window.HasLost();
         ++number)
    {
        if (m_window.CancelLost(number))
        {
            m_extras->flight->OnArrivedAfterAll(number, hasCounter);
        }
    }
    m_extras->flight->OnArrivedBefore(acknowledged, hasCounter);
    return Advance(acknowledged, completions);
}

void
Requester::OnReport(const Frame& frame,
                    const FrameDetail* detail,
                    uint64_t acknowledged,
                    AnswerWay way,
                    Completions& completions,
                    Tick now)
{
    m_extras->flight->OnAnswer();
    m_extras->probesInRow = 0;
    m_extras->hasAskedForReport =
        false; // A probe may overtake the packets that are to be reported.
    const uint64_t cause = Psn(frame.ack.selectivePsn).Expand(m_window.GetUnacked());
    const Departure* out = m_extras->flight->FindOut(cause);
    AckEvent event{};
    event.now = ToTime(now);
    event.rtt = ToTime(now - frame.sendTime);
    // It is known which transmission the answer belongs to: the only one, or the second of two.
    const uint32_t transmissions = frame.flags & frame_flag::ANSWERS_RESENT ? 2 : 1;
    event.hasRtt =
        (frame.flags & frame_flag::PROBE) != 0 || (out && out->transmissions == transmissions);
    event.receivedBytes = m_extras->flight->OnCounter(frame.receivedBytes);
    const uint64_t ackedBefore = m_window.GetAcknowledgedBytes();
    const bool hasAdvanced = AdvanceReported(acknowledged, true, completions);
    AckReport report = MakeReport(frame, event.rtt);
    report.hasRtt = event.hasRtt;
    if (detail && (frame.flags & frame_flag::DETAILED))
    {
        TakeBitmap(*detail);
        report.held = detail->range.held;
    }
    m_extras->flight->CountReport((frame.flags & frame_flag::CE_ECHO) != 0, report.held);
    SignalRoute(frame, now);
    event.ackedBytes = m_window.GetAcknowledgedBytes() - ackedBefore;
    event.inFlightBytes = m_extras->flight->GetBytes();
    event.isCeEchoed = (frame.flags & frame_flag::CE_ECHO) != 0;
    event.markedBytes = event.isCeEchoed ? event.ackedBytes : 0;
    event.unsentBytes = m_window.GetUnsentBytes();
    event.hostTime = way.hostTime > 0 ? ToTime(way.hostTime) : Time();
    m_isSooner |= m_pacer.OnAck(event, *m_rules, now);
    AddRtt(now - frame.sendTime);
    if (m_needsAck)
    {
        report.windowBytes = m_pacer.GetWindowBytes();
        Report(report, now);
    }
    UpdateProbeTime();
    RequestReport(now);
    // If only responses are missing, each answer shows that the peer is reachable.
    const bool awaitsOnlyReads = m_window.IsAllAcknowledged() && m_window.AwaitsReads();
    UpdateReportedTimer(hasAdvanced || awaitsOnlyReads, now);
    m_isSooner = true; // Less is in flight.
}

Tick
Requester::GetLossProbeTime() const
{
    return ToTick(
        CallPolicy(*m_detector, "GetProbeTime()", [&] { return m_detector->GetProbeTime(); }));
}

void
Requester::UpdateProbeTime()
{
    Tick when = TICK_NEVER;
    if (m_rules->sendsProbes && !m_window.IsAllAcknowledged())
    {
        when = std::min(GetLossProbeTime(), m_extras->flight->GetProbeTime());
    }
    SetDeadline(&Extras::probeTime, when);
}

bool
Requester::NeedsReport() const
{
    const ReportedFlight& flight = *m_extras->flight;
    return m_rules->requestsReports && m_rules->sendsProbes && !m_extras->hasAskedForReport &&
           !flight.AwaitsReport() && flight.HasCredit() && !m_isBroken && HasReportedPacket() &&
           !FitsWindow(m_pacer.GetWindowBytes());
}

void
Requester::RequestReport(Tick now)
{
    if (NeedsReport())
    {
        SetDeadline(&Extras::probeTime, now);
    }
}

void
Requester::CountProbe(const Object& policy)
{
    constexpr uint32_t MOST{100'000}; // A policy that probes every picosecond would never end.
    if (++m_extras->probesInRow > MOST)
    {
        FailPolicy(policy,
                   "GetProbeTime()",
                   "at most " + std::to_string(MOST) + " times of probes without a report",
                   "one more");
    }
}

void
Requester::MakeProbes(Tick now)
{
    ReportedFlight& flight = *m_extras->flight;
    const Psn newest = Psn(m_window.GetNext()) + Psn::MASK;
    if (NeedsReport())
    {
        m_extras->hasAskedForReport = true;
        const bool hasSelector = flight.GetSelector() != nullptr;
        m_extras->probes.push_back(
            {newest, hasSelector, flight.ChooseEntropy(0, GetInFlightBytes(), now)});
    }
    if (flight.GetProbeTime() <= now)
    {
        CountProbe(*flight.GetSelector());
        if (const auto entropy = flight.TakeProbe(now))
        {
            m_extras->probes.push_back({newest, true, *entropy});
        }
    }
    if (GetLossProbeTime() <= now)
    {
        CountProbe(*m_detector);
        CallPolicy(*m_detector, "OnProbe()", [&] { m_detector->OnProbe(ToTime(now)); });
        const Tick next = GetLossProbeTime();
        if (next <= now)
        {
            FailPolicy(*m_detector,
                       "GetProbeTime()",
                       "a time after that of OnProbe(), " + DescribeTick(now),
                       DescribeTick(next));
        }
        m_extras->probes.push_back({newest,
                                    flight.GetSelector() != nullptr,
                                    flight.ChooseEntropy(0, GetInFlightBytes(), now)});
    }
    UpdateProbeTime();
}

AwaitedAnswer
Requester::AwaitOldest(uint64_t oldest) const
{
    const Departure& departure = m_extras->flight->GetDeparture(oldest);
    AwaitedAnswer awaited = GetAwaited(departure.time);
    awaited.consecutive = departure.expiries;
    return awaited;
}

Completions
Requester::OnReportedDeadline(Tick now)
{
    if (m_timer.GetExpiry() > now)
    {
        return {};
    }
    ReportedFlight& flight = *m_extras->flight;
    const auto oldest = flight.FindOldest();
    const AwaitedAnswer awaited = oldest ? AwaitOldest(*oldest) : GetAwaited(m_timer.GetStart());
    if (awaited.start != m_timer.GetStart())
    {
        m_timer.Start(*m_rules->timeout, awaited); // Packets were sent without a look at it.
    }
    if (!m_timer.Expires(now, *m_rules->timeout, awaited))
    {
        return {};
    }
    ++m_timeouts;
    if (awaited.consecutive >= m_rules->retryCount)
    {
        ++m_extras->idleTimeouts;
        return Break(WcStatus::RETRY_EXC_ERR);
    }
    flight.OnTimeout();
    uint64_t lostBytes = 0;
    if (oldest)
    {
        flight.CountExpiry(*oldest);
        const auto bytes = OnReportedTimeout(*oldest, now);
        if (!bytes)
        {
            ++m_extras->idleTimeouts;
            flight.Restart(*oldest, now);
            UpdateReportedTimer(false, now);
            return {};
        }
        lostBytes = *bytes;
    }
    else
    {
        m_timer.CountRetry();
        m_extras->idleTimeouts += !ResendUnanswered();
    }
    const LossEvent loss{ToTime(now), lostBytes, GetInFlightBytes(), awaited.consecutive + 1};
    m_isSooner |= m_pacer.OnTimeout(loss, *m_rules, now);
    m_timer.Stop();
    m_extras->hasAskedForReport = false;
    RequestReport(now);
    UpdateReportedTimer(false, now);
    m_isSooner = true;
    return {};
}

std::optional<uint64_t>
Requester::OnReportedTimeout(uint64_t oldest, Tick now)
{
    ReportedFlight& flight = *m_extras->flight;
    Scoreboard board = m_window.GetBoard();
    board.SetLongestOut(oldest);
    flight.Signal(oldest, RouteSignal::TIMEOUT, now);
    const LostPackets lost = CallPolicy(*m_detector, "OnTimeout()", [&] {
        return m_detector->OnTimeout(board, ToTime(now));
    });
    UpdateDetector();
    if (lost.empty() && m_rules->sendsProbes)
    {
        return std::nullopt;
    }
    const Psn psn(oldest);
    if (!lost.empty() && !Contains(lost, oldest))
    {
        flight.Restart(oldest, now); // The detector has returned other packets.
        return Apply("OnTimeout()", lost, now);
    }
    const uint64_t bytes = flight.OnLost(oldest);
    return bytes + Apply("OnTimeout()", lost.empty() ? LostPackets{{psn, psn + 1}} : lost, now);
}

bool
Requester::ResendUnanswered()
{
    if (m_window.AwaitsReads())
    {
        const Message& read = m_window.GetQueue().GetOldest();
        m_window.AddLost(read.firstPacket, read.endPacket);
        return true;
    }
    if (IsOldestUnanswered())
    {
        m_window.AddLost(m_window.GetUnacked(), m_window.GetUnacked() + 1);
        return true;
    }
    return false; // Only credit is missing.
}

bool
Requester::IsOldestUnanswered() const
{
    return !m_window.IsAllAcknowledged() && !m_window.HasLost();
}

void
Requester::OnNotice(const Frame& frame, Tick now)
{
    if (!m_hasFlight || m_isBroken)
    {
        return;
    }
    if (frame.flags & frame_flag::PORTS)
    {
        m_extras->flight->OnPeerPorts(frame.usablePorts);
        m_isSooner = true;
        return;
    }
    m_extras->flight->OnCredit(frame.grantedCredit);
    m_isSooner = true;
    UpdateReportedTimer(false, now);
}

void
Requester::UpdateReportedTimer(bool hasAdvanced, Tick now)
{
    if (hasAdvanced)
    {
        m_timer.ForgetRetries();
    }
    if (const auto oldest = m_extras->flight->FindOldest())
    {
        const AwaitedAnswer awaited = AwaitOldest(*oldest);
        if (!m_timer.IsRunning() || m_timer.GetStart() != awaited.start || hasAdvanced)
        {
            m_timer.Start(*m_rules->timeout, awaited);
        }
        return;
    }
    m_extras->flight->OnNoneOut();
    if (!m_window.AwaitsReads() && !LacksCredit() && !IsOldestUnanswered())
    {
        m_timer.Stop();
    }
    else if (!m_timer.IsRunning() || hasAdvanced)
    {
        // A demand that has reached the receiver is granted without another request: only after
        // a lost grant does the sender wait so long.
        const Tick delay = m_window.AwaitsReads() ? 0 : REQUEST_DELAY;
        m_timer.Start(*m_rules->timeout, GetAwaited(now + delay));
    }
}

uint64_t
Requester::TakeLoss(uint64_t first, uint64_t end, uint64_t payload, Tick now)
{
    uint64_t bytes = 0;
    for (uint64_t number = first; number < end; ++number)
    {
        if (const uint32_t wireBytes = m_extras->flight->OnLost(number))
        {
            bytes += wireBytes;
            m_extras->flight->Signal(number, RouteSignal::LOST, now);
        }
    }
    return m_rules->sendsReports ? bytes : payload;
}

} // namespace ns3::rdma
