// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/requester.h"

#include "ns3/opcode.h"
#include "ns3/policy-error.h"
#include "ns3/read-delivery.h"
#include "ns3/response-delivery.h"
#include "ns3/rnr-timer.h"

#include <algorithm>
#include <memory>

namespace ns3::rdma
{

Requester::Requester(const RequesterParts& parts, const Rules& rules, Tick now)
    : m_state(parts, rules, now)
{
    const Ptr<const FlightFactory>& flights = rules->flights;
    std::unique_ptr<Flight> flight =
        flights ? CallPolicy(*flights, "Make()", [&] { return flights->Make(m_state, parts); })
                : MakeBuiltInFlight(m_state, parts);
    if (flight)
    {
        m_state.SetFlight(std::move(flight));
    }
}

Requester::Requester(const RequesterConfig& config, Tick now)
    : Requester(config, Rules(config), now)
{
}

Requester::~Requester()
{
    m_state.window.LeaveReads(*m_state.rules);
}

void
Requester::Post(const SendWorkRequest& request, WcStatus status)
{
    m_state.window.Post(request, status, *m_state.rules);
}

void
Requester::Post(const SendWorkRequest& request, WcStatus status, uint64_t bytes)
{
    m_state.window.Post(request, status, bytes, *m_state.rules);
}

void
Requester::PostResponse(uint64_t address, uint64_t bytes, uint32_t order)
{
    m_state.window.PostResponse(address, bytes, order, *m_state.rules);
}

std::vector<ReportProbe>
Requester::TakeProbes()
{
    Flight* const flight = m_state.FindFlight();
    return flight ? flight->TakeProbes() : std::vector<ReportProbe>();
}

uint64_t
Requester::GetSendableBytes(uint32_t messages) const
{
    return m_state.window.GetSendableBytes(messages, m_state.pacer.GetWindowBytes());
}

EntropyRoutes*
Requester::FindRoutes() const
{
    Flight* const flight = m_state.FindFlight();
    return flight ? flight->FindRoutes() : nullptr;
}

RequesterPolicies
Requester::HoldPolicies() const
{
    return {m_state.pacer.HoldCongestionControl(), m_state.detector};
}

DataRate
Requester::GetRate() const
{
    return std::min(m_state.pacer.GetRate(), m_state.rules->path.lineRate);
}

void
Requester::WaitForRead(uint32_t owner, uint32_t queuePair) const
{
    const PacketWindow& window = m_state.window;
    ReadPool* pool = m_state.isBroken ? nullptr : window.FindFullReadPool(*m_state.rules);
    if (pool)
    {
        pool->Wait(&window, owner, queuePair);
    }
}

void
Requester::SetDraining(bool isDraining)
{
    m_state.window.SetDraining(isDraining);
    const RequesterRules& rules = *m_state.rules;
    if (isDraining && rules.readPool && !m_state.window.FindFullReadPool(rules))
    {
        rules.readPool->Leave(&m_state.window); // Else it would block later holders.
    }
}

bool
Requester::IsReadUnderWay(uint32_t order) const
{
    const PacketWindow& window = m_state.window;
    return window.GetReadsUnderWay() > 0 && window.GetQueue().FindRead(order) != nullptr;
}

RequesterStats
Requester::GetStats() const
{
    const PacketWindow& window = m_state.window;
    const uint64_t numbers = window.GetNext() - m_state.initialPsn;
    const RareFlightState* rare = m_state.onDemand.FindRare();
    return {numbers - (rare ? rare->responseNumbers : 0),
            window.CountResent(),
            m_state.timeouts,
            rare ? rare->idleTimeouts : 0,
            rare ? rare->rnrNaks : 0,
            rare ? rare->naks : 0,
            window.GetSentBytes(),
            window.GetAcknowledgedBytes(),
            rare ? rare->readBytes : 0};
}

void
Requester::OnCnp(Tick now)
{
    if (!m_state.isBroken)
    {
        m_state.isSooner |= m_state.pacer.OnCnp(*m_state.rules, now);
    }
}

void
Requester::OnResponseSent(uint32_t wireBytes, Tick now)
{
    m_state.pacer.OnSent(wireBytes, *m_state.rules, now);
}

void
Requester::SetRules(const Rules& rules, Tick now)
{
    m_state.rules = rules;
    m_state.isSooner |= m_state.pacer.OnBounds(*m_state.rules, now);
}

void
Requester::CountSpecial(const OutgoingPacket& packet)
{
    if (packet.isRetransmission)
    {
        m_state.window.OnResent(packet.psn.Expand(m_state.window.GetUnacked()));
        return;
    }
    m_state.onDemand.GetRare().responseNumbers += packet.plan.count - 1;
    m_state.window.OnSent(packet.plan, *m_state.rules);
}

void
Requester::NotifyDetector(const OutgoingPacket& packet, Tick now)
{
    m_state.Call("OnSent()", [&] {
        m_state.detector->OnSent(
            {{packet.psn, packet.psn + packet.plan.count}, packet.isRetransmission, ToTime(now)});
    });
    m_state.UpdateDetector();
}

void
Requester::AwaitLeft(const OutgoingPacket& packet)
{
    m_state.window.ForgetInFlight();
    if (packet.plan.isLast)
    {
        m_state.onDemand.GetRare().leaving.push_back(m_state.window.GetNext());
    }
}

void
Requester::StartTimer(Tick now)
{
    CumulativeFlight(m_state).StartTimer(now);
}

Completions
Requester::OnLeft()
{
    Completions completions;
    const RareFlightState* rare = m_state.onDemand.FindRare();
    if (rare && !rare->leaving.empty())
    {
        std::vector<uint64_t>& leaving = m_state.onDemand.GetRare().leaving;
        m_state.window.Leave(leaving.front());
        leaving.erase(leaving.begin());
        m_state.CompleteOldest(completions);
    }
    return completions;
}

[[gnu::always_inline]] inline bool
Requester::Advance(uint64_t acknowledged, Completions& completions)
{
    if (Flight* flight = m_state.FindFlight())
    {
        flight->OnArrivedBefore(acknowledged);
    }
    return m_state.Advance(acknowledged, completions);
}

[[gnu::always_inline]] inline void
Requester::UpdateTimer(bool hasAdvanced, Tick now)
{
    Flight* const flight = m_state.FindFlight();
    if (flight)
    {
        m_state.CallFlight("Flight::UpdateTimer()", [&] { flight->UpdateTimer(hasAdvanced, now); });
        return;
    }
    CumulativeFlight(m_state).UpdateTimer(hasAdvanced, now);
}

void
Requester::OnArrivedUnanswered(uint64_t end, bool isReport)
{
    if (Flight* flight = m_state.FindFlight())
    {
        flight->OnArrivedUnanswered(end, isReport);
    }
}

void
Requester::ReportAck(const Frame& frame, Tick now)
{
    const Psn unacked(m_state.window.GetUnacked());
    m_state.Report({unacked, {}, Psn(frame.psn), ToTime(now - frame.sendTime), false}, now);
}

void
Requester::ReportNak(const Frame& frame, Tick now)
{
    PacketWindow& window = m_state.window;
    ++m_state.onDemand.GetRare().naks;
    m_state.AddRtt(now - frame.sendTime);
    AckReport report{Psn(frame.psn), {}, Psn(frame.psn), ToTime(now - frame.sendTime), true};
    if (frame.flags & frame_flag::SELECTIVE)
    {
        report.cause = Psn(frame.ack.selectivePsn);
        report.received.bitmap = {report.cause, 1};
        if (!m_state.goesBack && window.GetBoard().Contains(report.cause))
        {
            window.Hold(report.cause.Expand(window.GetUnacked()), *m_state.rules);
        }
    }
    m_state.Report(report, now);
}

Completions
Requester::OnAck(const Frame& frame, Tick now, AnswerWay way, const FrameDetail* detail)
{
    FetchPolicies();
    Completions completions;
    PacketWindow& window = m_state.window;
    Flight* const flight = m_state.FindFlight();
    if (frame.IsNotice())
    {
        if (flight && !m_state.isBroken)
        {
            flight->OnNotice(frame, now);
        }
        return completions;
    }
    const bool isAck = (frame.syndrome & 0x60) == 0;
    // An ACK names the last packet that arrived, a NAK the first that did not.
    const uint64_t acknowledged = Psn(frame.psn).Expand(window.GetUnacked()) + (isAck ? 1 : 0);
    const bool isKnown = isAck || syndrome::IsNak(frame.syndrome);
    if (acknowledged > window.GetNext() || m_state.isBroken || !isKnown)
    {
        return completions; // Acknowledges packets that were not sent: from an earlier connection
                            // of the queue pair.
    }
    if (flight && (frame.flags & frame_flag::TRIMMED))
    {
        flight->OnTrimNotice(frame, now); // It reports this packet only.
        return completions;
    }
    const uint64_t ackedBefore = window.GetAcknowledgedBytes();
    const uint64_t allowed =
        window.GetReadsUnderWay() == 0
            ? acknowledged
            : std::min(acknowledged, window.GetQueue().FindResponseNumber(window.GetUnacked()));
    const bool isReport = flight && flight->HandlesAnswer(frame);
    if (allowed < acknowledged)
    {
        OnArrivedUnanswered(acknowledged, isReport);
        uint64_t& arrivedEnd = m_state.onDemand.GetRare().arrivedEnd;
        arrivedEnd = std::max(arrivedEnd, acknowledged);
    }
    if (isReport)
    {
        m_state.CallFlight("Flight::OnReport()", [&] {
            flight->OnReport({frame, detail, way, allowed}, completions, now);
        });
        if (allowed < acknowledged)
        {
            OnMissingResponse(now);
        }
        return completions;
    }
    const bool hasAdvanced = Advance(allowed, completions);
    UpdateTimer(hasAdvanced, now);
    if (allowed < acknowledged)
    {
        OnMissingResponse(now);
    }
    else if (!isAck && frame.syndrome != syndrome::NAK_PSN_SEQUENCE)
    {
        OnNak(frame, acknowledged, completions, now);
        if (m_state.isBroken)
        {
            return completions;
        }
    }
    else if (!isAck && !window.IsAllAcknowledged())
    {
        ReportNak(frame, now);
    }
    else if (hasAdvanced)
    {
        m_state.AddRtt(now - frame.sendTime);
        if (m_state.needsAck)
        {
            // Also when nothing is in flight: the detector must drop its state before PSNs wrap.
            ReportAck(frame, now);
        }
    }
    if (flight)
    {
        flight->OnAnswered(frame, now);
    }
    ReportProgress(frame, ackedBefore, way, now);
    return completions;
}

void
Requester::ReportProgress(const Frame& answer, uint64_t ackedBefore, AnswerWay way, Tick now)
{
    const uint64_t newBytes = m_state.window.GetAcknowledgedBytes() - ackedBefore;
    const bool isCeEchoed = (answer.flags & frame_flag::CE_ECHO) != 0;
    m_state.isSooner |= m_state.pacer.OnAck({ToTime(now),
                                             ToTime(now - answer.sendTime),
                                             newBytes,
                                             GetInFlightBytes(),
                                             isCeEchoed,
                                             isCeEchoed ? newBytes : 0,
                                             m_state.window.GetUnsentBytes(),
                                             way.hostTime > 0 ? ToTime(way.hostTime) : Time(),
                                             way.path},
                                            *m_state.rules,
                                            now);
}

void
Requester::OnNak(const Frame& frame, uint64_t refused, Completions& completions, Tick now)
{
    PacketWindow& window = m_state.window;
    RetransmissionTimer& timer = m_state.timer;
    if (refused < window.GetUnacked() || refused >= window.GetNext())
    {
        return; // Late: the refused packet has been accepted since.
    }
    WcStatus status = GetStatusOfNak(frame.syndrome);
    RareFlightState& rare = m_state.onDemand.GetRare();
    if (syndrome::IsRnrNak(frame.syndrome))
    {
        if (now < rare.receiverReadyAt && timer.GetRnrRetries() > 0)
        {
            return; // Answers a packet that was in flight when the RNR delay began.
        }
        constexpr uint32_t FOR_EVER{7};
        ++rare.rnrNaks;
        const uint32_t mostRetries = m_state.rules->rnrRetry;
        if (mostRetries == FOR_EVER || timer.GetRnrRetries() < mostRetries)
        {
            timer.CountRnrRetry();
            rare.receiverReadyAt = now + GetRnrDelay(frame.syndrome & 0x1f);
            timer.Stop(); // The next packet starts it again.
            const LostPackets lost = m_state.Trigger(LossTrigger::RNR_NAK, window.GetBoard(), now);
            m_state.UpdateDetector();
            m_state.Apply(FlightState::TRIGGER_CALL, lost, now);
            return;
        }
        status = WcStatus::RNR_RETRY_EXC_ERR;
    }
    rare.refused = {refused, status};
    window.SetDraining(true);
    FailWhenDue(completions);
}

void
Requester::OnMissingResponse(Tick now)
{
    if (!m_state.hasMissedResponse)
    {
        m_state.hasMissedResponse = true;
        const LostPackets lost =
            m_state.Trigger(LossTrigger::MISSING_RESPONSE, m_state.window.GetBoard(), now);
        m_state.ApplyAnswer(FlightState::TRIGGER_CALL, lost, now);
    }
}

void
Requester::FailWhenDue(Completions& completions)
{
    // The responses of acknowledged READs come on their own: those before the failure are awaited.
    const RareFlightState* rare = m_state.onDemand.FindRare();
    if (!rare || !rare->refused)
    {
        return;
    }
    const RefusedRequest refused = *rare->refused;
    const SendQueue& queue = m_state.window.GetQueue();
    if (queue.IsEmpty() || queue.GetOldest().endPacket > refused.packet)
    {
        Break(refused.status, completions);
    }
}

Completions
Requester::OnResponse(const Frame& frame, const FrameDetail* detail, Tick now, Placement& placement)
{
    Completions completions;
    PacketWindow& window = m_state.window;
    const SendQueue& queue = window.GetQueue();
    const uint64_t number = Psn(frame.psn).Expand(window.GetUnacked());
    if (m_state.isBroken || number < window.GetUnacked() || number >= window.GetNext())
    {
        return completions; // Answered before.
    }
    const uint64_t ackedBefore = window.GetAcknowledgedBytes();
    const uint64_t awaited = queue.FindResponseNumber(window.GetUnacked());
    // All requests before the answered one have arrived, but their responses may have been lost.
    bool hasAdvanced = Advance(std::min(number, awaited), completions);
    if (number > awaited)
    {
        OnArrivedUnanswered(number, false);
        OnMissingResponse(now);
    }
    else
    {
        const ReadDelivery delivery(queue, *m_state.rules);
        if (number < awaited || !delivery.Deliver(number, frame, detail, placement))
        {
            Break(WcStatus::BAD_RESP_ERR, completions);
            return completions;
        }
        if (frame.payloadBytes > 0)
        {
            m_state.onDemand.GetRare().readBytes += frame.payloadBytes;
        }
        hasAdvanced = Advance(number + 1, completions);
        window.OnResponses(number + 1, *m_state.rules);
        // An acknowledgment may have been here before this response.
        const RareFlightState* rare = m_state.onDemand.FindRare();
        const uint64_t arrivedEnd = rare ? rare->arrivedEnd : 0;
        Advance(std::min(arrivedEnd, queue.FindResponseNumber(window.GetUnacked())), completions);
        ReportAck(frame, now);
    }
    UpdateTimer(hasAdvanced, now);
    if (window.GetAcknowledgedBytes() > ackedBefore)
    {
        ReportProgress(frame, ackedBefore, {}, now);
    }
    return completions;
}

Placement
Requester::PlaceReadData(const Frame& frame, const FrameDetail* detail)
{
    m_state.onDemand.GetRare().readBytes += frame.payloadBytes;
    return ReadDelivery(m_state.window.GetQueue(), *m_state.rules).Place(frame, detail);
}

Completions
Requester::OnReadsDone(uint32_t count, Tick now)
{
    Completions completions;
    RareFlightState& rare = m_state.onDemand.GetRare();
    const bool hasAdvanced = count != rare.readsDone;
    rare.readsDone = count;
    m_state.CompleteOldest(completions);
    if (m_state.window.IsAllAcknowledged())
    {
        UpdateTimer(hasAdvanced, now); // While requests are in flight, the timer runs for them.
    }
    FailWhenDue(completions);
    return completions;
}

Completions
Requester::EndBadRequest()
{
    const PacketWindow& window = m_state.window;
    if (!window.GetQueue().HasSpecial() || window.GetNext() == window.GetKnownEnd() ||
        !window.IsIdle() || m_state.isBroken || window.IsDraining())
    {
        return {};
    }
    const Message& message = window.GetQueue().Find(window.GetNext());
    return message.status == WcStatus::SUCCESS ? Completions{} : Break(message.status);
}

Completions
Requester::OnDeadline(Tick now)
{
    if (m_state.pacer.GetDeadline() <= now)
    {
        m_state.isSooner |= m_state.pacer.OnDeadline(*m_state.rules, now);
    }
    const auto isLossDue = [&] {
        return m_state.hasLossDeadline && m_state.onDemand.FindRare()->lossDeadline <= now;
    };
    if (isLossDue())
    {
        const LostPackets lost =
            m_state.Trigger(LossTrigger::DEADLINE, m_state.window.GetBoard(), now);
        m_state.ApplyAnswer(FlightState::TRIGGER_CALL, lost, now);
        if (isLossDue())
        {
            FailDeadline(now);
        }
    }
    Flight* const flight = m_state.FindFlight();
    const bool holds =
        flight ? m_state.CallFlight("Flight::OnDeadline()", [&] { return flight->OnDeadline(now); })
               : CumulativeFlight(m_state).OnDeadline(now);
    if (holds && flight && m_state.rules->flights)
    {
        CheckFlight(*flight, now);
    }
    return holds ? Completions{} : Break(WcStatus::RETRY_EXC_ERR);
}

void
Requester::CheckFlight(const Flight& flight, Tick now) const
{
    const Tick next = std::min(m_state.timer.GetExpiry(), flight.GetDeadline());
    if (next <= now)
    {
        FailPolicy(*m_state.rules->flights,
                   "Flight::OnDeadline()",
                   "the timer and GetDeadline() after now, " + DescribeTick(now),
                   DescribeTick(next));
    }
}

void
Requester::FailDeadline(Tick now) const
{
    FailPolicy(*m_state.detector,
               "GetNextLook()",
               "a deadline after now, " + DescribeTick(now),
               DescribeTick(m_state.onDemand.FindRare()->lossDeadline));
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
    m_state.isBroken = true;
    if (m_state.onDemand.FindRare())
    {
        m_state.onDemand.GetRare().refused.reset();
        m_state.onDemand.GetRare().leaving.clear();
    }
    if (Flight* flight = m_state.FindFlight())
    {
        flight->Stop();
    }
    m_state.hasLossDeadline = false;
    m_state.timer.Stop();
    m_state.pacer.Stop();
    m_state.window.Flush(status, *m_state.rules, completions);
}

} // namespace ns3::rdma
