// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/requester.h"

#include "ns3/opcode.h"
#include "ns3/policy-error.h"
#include "ns3/rnr-timer.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

Requester::Requester(const RequesterParts& parts, const Rules& rules, Tick now)
    : m_window(rules->path.mtuBytes,
               parts.initialPsn,
               parts.qpNumber,
               parts.lossDetector->GetResponderRules().acknowledgesReads,
               rules->readRequestBytes),
      m_detector(parts.lossDetector),
      m_pacer(parts.congestionControl, *rules, now, parts.ownPath),
      m_timeouts(0),
      m_hasFlight(parts.entropySelector || rules->sendsReports),
      m_isSteady(false),
      m_initialPsn(parts.initialPsn),
      m_goesBack(parts.lossDetector->GetResponderRules().outOfOrderWindow == 0),
      m_hasMissedResponse(false),
      m_isBroken(false),
      m_detectorNeedsSent(CallPolicy(*parts.lossDetector,
                                     "NeedsOnSent()",
                                     [&] { return parts.lossDetector->NeedsOnSent(); })),
      m_hasPolicyDeadline(false),
      m_isSooner(false),
      m_rules(rules)
{
    m_controlNeedsSent = m_pacer.NeedsOnSent();
    if (m_hasFlight)
    {
        GetExtras().flight = std::make_unique<ReportedFlight>(parts.entropySelector,
                                                              parts.entropy,
                                                              parts.planes,
                                                              parts.initialPsn);
        m_extras->flight->OnPeerPorts(parts.peerPorts);
        if (rules->creditBytes > 0)
        {
            m_extras->flight->UseCredit(rules->creditBytes);
        }
    }
    UpdateDetector();
}

Requester::Requester(const RequesterConfig& config, Tick now)
    : Requester(config, Rules(config), now)
{
}

Requester::~Requester()
{
    m_window.LeaveReads(*m_rules);
}

template <typename Body>
inline decltype(auto)
Requester::Call(const char* call, Body&& body) const
{
    return CallPolicy(*m_detector, call, std::forward<Body>(body));
}

AwaitedAnswer
Requester::GetAwaited(Tick start) const
{
    return {start,
            Psn(m_window.GetUnacked()),
            static_cast<uint32_t>(m_window.GetNext() - m_window.GetUnacked()),
            m_timer.GetRetries(),
            m_timeouts,
            m_extras.FindRtt()};
}

void
Requester::Report(const AckReport& report, Tick now)
{
    const LostPackets lost = Call("OnReport()", [&] {
        return m_detector->OnReport(report, m_window.GetBoard(), ToTime(now));
    });
    ApplyAnswer("OnReport()", lost, now);
}

void
Requester::ReportAck(const Frame& frame, Tick now)
{
    const Psn psn(frame.psn);
    Report({Psn(m_window.GetUnacked()), {}, psn, ToTime(now - frame.sendTime), false}, now);
}

void
Requester::ReportNak(const Frame& frame, Tick now)
{
    ++GetExtras().naks;
    AddRtt(now - frame.sendTime);
    AckReport report{Psn(frame.psn), {}, Psn(frame.psn), ToTime(now - frame.sendTime), true};
    if (frame.flags & frame_flag::SELECTIVE)
    {
        report.cause = Psn(frame.ack.selectivePsn);
        report.selective = {report.cause, 1};
        if (!m_goesBack && m_window.GetBoard().Contains(report.cause))
        {
            m_window.Hold(report.cause.Expand(m_window.GetUnacked()), *m_rules);
        }
    }
    Report(report, now);
}

void
Requester::SetDraining(bool isDraining)
{
    m_isSteady = false;
    m_window.SetDraining(isDraining);
    if (isDraining && m_rules->readPool && !m_window.FindFullReadPool(*m_rules))
    {
        m_rules->readPool->Leave(&m_window); // Else it would block later holders.
    }
}

void
Requester::KeepDeparture(const Outgoing& packet, uint32_t frameBytes, Tick now)
{
    const uint64_t unacked = m_window.GetUnacked();
    m_extras->flight->OnSent(packet.psn.Expand(unacked),
                             unacked,
                             MakeDeparture(packet.entropy, frameBytes, packet.asksForAck, now),
                             packet.creditTarget);
}

void
Requester::CountSpecial(const Outgoing& packet)
{
    if (packet.isRetransmission)
    {
        m_window.OnResent(packet.psn.Expand(m_window.GetUnacked()));
        return;
    }
    GetExtras().responseNumbers += packet.plan.count - 1;
    m_window.OnSent(packet.plan, *m_rules);
}

void
Requester::NotifyDetector(const Outgoing& packet, Tick now)
{
    Call("OnSent()", [&] {
        m_detector->OnSent(
            {{packet.psn, packet.psn + packet.plan.count}, packet.isRetransmission, ToTime(now)});
    });
    UpdateDetector();
}

void
Requester::AwaitLeft(const Outgoing& packet)
{
    m_window.ForgetInFlight();
    if (packet.plan.isLast)
    {
        GetExtras().leaving.push_back(m_window.GetNext());
    }
}

void
Requester::StartTimer(Tick now)
{
    if (m_rules->firstTimeout && m_timer.GetRetries() == 0)
    {
        const uint64_t packets = m_window.GetNext() - m_window.GetUnacked();
        m_timer.Start(*m_rules->firstTimeout, packets, now);
    }
    else
    {
        m_timer.Start(*m_rules->timeout, GetAwaited(now));
    }
}

Completions
Requester::OnLeft()
{
    m_isSteady = false;
    Completions completions;
    if (m_extras && !m_extras->leaving.empty())
    {
        m_window.Leave(m_extras->leaving.front());
        m_extras->leaving.erase(m_extras->leaving.begin());
        CompleteOldest(completions);
    }
    return completions;
}

void
Requester::CompleteOldest(Completions& completions)
{
    const uint32_t readsDone = m_extras ? m_extras->readsDone : 0;
    m_window.Complete(readsDone, *m_rules, completions);
}

Completions
Requester::OnAck(const Frame& frame, Tick now, AnswerWay way, const FrameDetail* detail)
{
    FetchPolicies();
    m_isSteady = false;
    Completions completions;
    if (frame.flags & (frame_flag::CREDIT | frame_flag::PORTS))
    {
        OnNotice(frame, now);
        return completions;
    }
    const bool isAck = (frame.syndrome & 0x60) == 0;
    // An ACK names the last packet that arrived, a NAK the first that did not.
    const uint64_t acknowledged = Psn(frame.psn).Expand(m_window.GetUnacked()) + (isAck ? 1 : 0);
    const bool isKnown = isAck || syndrome::IsNak(frame.syndrome);
    if (acknowledged > m_window.GetNext() || m_isBroken || !isKnown)
    {
        return completions; // Acknowledges packets that were not sent: from an earlier connection
                            // of the queue pair.
    }
    if (m_hasFlight && (frame.flags & frame_flag::TRIMMED))
    {
        OnTrimNotice(frame, now); // It reports this packet only.
        return completions;
    }
    const uint64_t ackedBefore = m_window.GetAcknowledgedBytes();
    const uint64_t allowed =
        m_window.GetReadsUnderWay() == 0
            ? acknowledged
            : std::min(acknowledged, m_window.GetQueue().FindResponseNumber(m_window.GetUnacked()));
    const bool isReport = TakesReports() && frame.syndrome == syndrome::ACK;
    if (allowed < acknowledged)
    {
        if (m_hasFlight)
        {
            OnArrivedUnanswered(acknowledged, isReport);
        }
        GetExtras().arrivedEnd = std::max(GetExtras().arrivedEnd, acknowledged);
    }
    if (isReport)
    {
        OnReport(frame, detail, allowed, way, completions, now);
        if (allowed < acknowledged)
        {
            OnMissingResponse(now);
        }
        return completions;
    }
    const bool hasAdvanced = AdvanceByResponse(allowed, completions);
    TakesReports() ? UpdateReportedTimer(hasAdvanced, now) : UpdatePlainTimer(hasAdvanced, now);
    if (allowed < acknowledged)
    {
        OnMissingResponse(now);
    }
    else if (!isAck && frame.syndrome != syndrome::NAK_PSN_SEQUENCE)
    {
        OnNak(frame, acknowledged, completions, now);
        if (m_isBroken)
        {
            return completions;
        }
    }
    else if (!isAck && !m_window.IsAllAcknowledged())
    {
        ReportNak(frame, now);
    }
    else if (hasAdvanced)
    {
        AddRtt(now - frame.sendTime);
        if (m_needsAck)
        {
            // Also when nothing is in flight: the detector must drop its state before PSNs wrap.
            ReportAck(frame, now);
        }
    }
    if (m_hasFlight)
    {
        SignalRoute(frame, now);
    }
    ReportProgress(frame, ackedBefore, way, now);
    return completions;
}

void
Requester::ReportProgress(const Frame& answer, uint64_t ackedBefore, AnswerWay way, Tick now)
{
    const uint64_t newBytes = m_window.GetAcknowledgedBytes() - ackedBefore;
    const bool isCeEchoed = (answer.flags & frame_flag::CE_ECHO) != 0;
    m_isSooner |= m_pacer.OnAck({ToTime(now),
                                 ToTime(now - answer.sendTime),
                                 newBytes,
                                 GetInFlightBytes(),
                                 isCeEchoed,
                                 isCeEchoed ? newBytes : 0,
                                 m_window.GetUnsentBytes(),
                                 way.hostTime > 0 ? ToTime(way.hostTime) : Time(),
                                 way.path},
                                *m_rules,
                                now);
}

void
Requester::OnNak(const Frame& frame, uint64_t refused, Completions& completions, Tick now)
{
    if (refused < m_window.GetUnacked() || refused >= m_window.GetNext())
    {
        return; // Late: the refused packet has been accepted since.
    }
    WcStatus status = GetStatusOfNak(frame.syndrome);
    if (syndrome::IsRnrNak(frame.syndrome))
    {
        Extras& extras = GetExtras();
        if (now < extras.receiverReadyAt && m_timer.GetRnrRetries() > 0)
        {
            return; // Answers a packet that was in flight when the RNR delay began.
        }
        constexpr uint32_t FOR_EVER{7};
        ++extras.rnrNaks;
        if (m_rules->rnrRetry == FOR_EVER || m_timer.GetRnrRetries() < m_rules->rnrRetry)
        {
            m_timer.CountRnrRetry();
            extras.receiverReadyAt = now + GetRnrDelay(frame.syndrome & 0x1f);
            m_timer.Stop(); // The next packet starts it again.
            const LostPackets lost =
                Call("OnRnrNak()", [&] { return m_detector->OnRnrNak(m_window.GetBoard()); });
            UpdateDetector();
            Apply("OnRnrNak()", lost, now);
            return;
        }
        status = WcStatus::RNR_RETRY_EXC_ERR;
    }
    GetExtras().failure = {refused, status};
    m_window.SetDraining(true);
    FailWhenDue(completions);
}

void
Requester::OnMissingResponse(Tick now)
{
    if (!m_hasMissedResponse)
    {
        m_hasMissedResponse = true;
        const LostPackets lost = Call("OnMissingResponse()", [&] {
            return m_detector->OnMissingResponse(m_window.GetBoard());
        });
        ApplyAnswer("OnMissingResponse()", lost, now);
    }
}

Completions
Requester::EndBadRequest()
{
    m_isSteady = false;
    if (!m_window.GetQueue().HasSpecial() || m_window.GetNext() == m_window.GetKnownEnd() ||
        !m_window.IsIdle() || m_isBroken || m_window.IsDraining())
    {
        return {};
    }
    const Message& message = m_window.GetQueue().Find(m_window.GetNext());
    return message.status == WcStatus::SUCCESS ? Completions{} : Break(message.status);
}

uint64_t
Requester::Apply(const char* call, const LostPackets& lost, Tick now)
{
    uint64_t bytes = 0;
    for (const PsnRange& range : lost)
    {
        const uint64_t first = range.first.Expand(m_window.GetUnacked());
        const uint64_t end = range.end.Expand(m_window.GetUnacked());
        if (first < m_window.GetUnacked() || end < first || end > m_window.GetNext())
        {
            FailLost(call, range);
        }
        const uint64_t payload = m_window.AddLost(first, end);
        bytes += m_hasFlight ? TakeLoss(first, end, payload, now) : payload;
    }
    return bytes;
}

void
Requester::ApplyAnswer(const char* call, const LostPackets& lost, Tick now)
{
    UpdateDetector();
    const uint64_t lostBytes = Apply(call, lost, now);
    if (!lost.empty())
    {
        m_isSooner |= m_pacer.OnLoss({ToTime(now), lostBytes, GetInFlightBytes()}, *m_rules, now);
    }
}

void
Requester::UpdateDetector()
{
    m_needsAck = Call("NeedsOnAck()", [&] { return m_detector->NeedsOnAck(); });
    SetDeadline(&Extras::lossDeadline,
                ToTick(Call("GetDeadline()", [&] { return m_detector->GetDeadline(); })));
}

void
Requester::SetDeadline(Tick Extras::*which, Tick when)
{
    if (m_hasPolicyDeadline || when < TICK_NEVER)
    {
        Extras& extras = GetExtras();
        extras.*which = when;
        m_hasPolicyDeadline = std::min(extras.lossDeadline, extras.probeTime) < TICK_NEVER;
    }
}

void
Requester::FailDeadline(Tick now) const
{
    FailPolicy(*m_detector,
               "GetDeadline()",
               "a deadline after now, " + DescribeTick(now),
               DescribeTick(m_extras->lossDeadline));
}

void
Requester::FailLost(const char* call, const PsnRange& range) const
{
    const auto describe = [](Psn first, Psn end) {
        return std::to_string(first.Get()) + " up to, not including, " + std::to_string(end.Get());
    };
    const Scoreboard board = m_window.GetBoard();
    FailPolicy(*m_detector,
               call,
               "packets of the window, PSN " + describe(board.GetUnacked(), board.GetNext()),
               describe(range.first, range.end));
}

void
Requester::UpdateTimer(bool hasAdvanced, Tick now)
{
    TakesReports() ? UpdateReportedTimer(hasAdvanced, now) : UpdatePlainTimer(hasAdvanced, now);
}

[[gnu::always_inline]] inline void
Requester::UpdatePlainTimer(bool hasAdvanced, Tick now)
{
    if (m_window.IsAllAcknowledged() && !m_window.AwaitsReads())
    {
        m_timer.Stop();
    }
    else if (hasAdvanced || m_window.IsAllAcknowledged())
    {
        m_timer.ForgetRetries();
        // As StartTimer(), but without a call: each acknowledgment passes here.
        if (m_rules->firstTimeout)
        {
            m_timer.Start(*m_rules->firstTimeout, m_window.GetNext() - m_window.GetUnacked(), now);
        }
        else
        {
            m_timer.Start(*m_rules->timeout, GetAwaited(now));
        }
    }
}

Completions
Requester::OnDeadline(Tick now)
{
    m_isSteady = false;
    if (m_pacer.GetDeadline() <= now)
    {
        m_isSooner |= m_pacer.OnDeadline(*m_rules, now);
    }
    if (m_hasPolicyDeadline && m_extras->lossDeadline <= now)
    {
        const LostPackets lost = Call("OnDeadline()", [&] {
            return m_detector->OnDeadline(m_window.GetBoard(), ToTime(now));
        });
        ApplyAnswer("OnDeadline()", lost, now);
        if (m_hasPolicyDeadline && m_extras->lossDeadline <= now)
        {
            FailDeadline(now);
        }
    }
    if (m_hasFlight && m_rules->sendsReports)
    {
        if (m_hasPolicyDeadline && m_extras->probeTime <= now)
        {
            MakeProbes(now);
        }
        return OnReportedDeadline(now);
    }
    if (!m_timer.Expires(now, *m_rules->timeout, GetAwaited(m_timer.GetStart())))
    {
        return {};
    }
    ++m_timeouts;
    if (m_timer.GetRetries() >= m_rules->retryCount)
    {
        ++GetExtras().idleTimeouts;
        return Break(WcStatus::RETRY_EXC_ERR);
    }
    m_timer.CountRetry();
    m_hasMissedResponse = false;
    uint64_t lostBytes = 0;
    if (m_window.IsAllAcknowledged())
    {
        // All requests have arrived, a READ's response has not: request it again to probe the peer.
        m_window.AddLost(m_window.GetQueue().GetOldest().firstPacket,
                         m_window.GetQueue().GetOldest().endPacket);
    }
    else
    {
        const LostPackets lost = Call("OnTimeout()", [&] {
            return m_detector->OnTimeout(m_window.GetBoard(), ToTime(now));
        });
        UpdateDetector();
        if (const auto oldest = m_hasFlight ? m_extras->flight->FindOldest() : std::nullopt)
        {
            m_extras->flight->Signal(*oldest, RouteSignal::TIMEOUT, now);
        }
        lostBytes = Apply("OnTimeout()", lost, now);
    }
    m_isSooner |=
        m_pacer.OnTimeout({ToTime(now), lostBytes, GetInFlightBytes(), m_timer.GetRetries()},
                          *m_rules,
                          now);
    m_timer.Start(*m_rules->timeout, GetAwaited(now));
    return {};
}

Completions
Requester::Break(WcStatus status)
{
    Completions completions;
    Break(status, completions);
    return completions;
}

void
Requester::Break(WcStatus status, Completions& completions)
{
    m_isSteady = false;
    m_isBroken = true;
    if (m_extras)
    {
        m_extras->failure.reset();
        m_extras->leaving.clear();
    }
    m_hasPolicyDeadline = false;
    m_timer.Stop();
    m_pacer.Stop();
    m_window.Flush(status, *m_rules, completions);
}

} // namespace ns3::rdma
