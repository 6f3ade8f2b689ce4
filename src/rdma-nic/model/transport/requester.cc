// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/requester.h"

#include "ns3/opcode.h"
#include "ns3/policy-error.h"
#include "ns3/response-delivery.h"
#include "ns3/rnr-timer.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{
void
Append(const Completions& from, Completions& to)
{
    for (const WorkCompletion& completion : from)
    {
        to.push_back(completion);
    }
}

AnswerTiming
GetTiming(const Frame& answer, Tick now)
{
    return {ToTime(now), ToTime(now - answer.sendTime)};
}
} // namespace

Requester::Requester(const RequesterParts& parts, Ptr<const Rules> rules, Tick now)
    : m_unacked(parts.initialPsn),
      m_next(parts.initialPsn),
      m_known(parts.initialPsn),
      m_qpNumber(parts.qpNumber),
      m_isReliable(rules->isReliable),
      m_acknowledgesReads(parts.lossRecovery->GetResponderRules().acknowledgesReads),
      m_hasMissedResponse(false),
      m_isDraining(false),
      m_isBroken(false),
      m_isAckHeard(parts.lossRecovery->HearsOfAcks()),
      m_isSooner(false),
      m_lossRecovery(parts.lossRecovery),
      m_pacer(parts.congestionControl, *rules, now, parts.ownPath),
      m_timeouts(0),
      m_isSentTracked(parts.lossRecovery->HearsOfSent()),
      m_rules(rules),
      m_queue(rules->path.mtuBytes, parts.initialPsn, m_acknowledgesReads)
{
    m_isSentHeard = m_pacer.HearsOfSent();
}

Requester::Requester(const RequesterConfig& config, Tick now)
    : Requester(config, Share<RequesterRules>(config), now)
{
}

void
Requester::Post(uint64_t wrId, uint64_t bytes)
{
    m_queue.Post(wrId, bytes);
    LearnPosts();
}

void
Requester::Post(const SendWorkRequest& request, WcStatus status)
{
    m_queue.Post(request, status);
    if (request.isInline && m_rules->domain && m_rules->domain->GetMemory())
    {
        std::vector<uint8_t> bytes(GetTotalBytes(request.sgList));
        m_rules->domain->Gather(request.sgList, 0, bytes.data(), bytes.size());
        m_queue.SetInlineBytes(std::move(bytes));
    }
    LearnPosts();
}

void
Requester::PostResponse(uint64_t address, uint64_t bytes, uint32_t order)
{
    m_queue.PostResponse(address, bytes, order);
    LearnPosts();
}

void
Requester::LearnPosts()
{
    if (!m_rules->hasDoorbell)
    {
        m_known = m_queue.GetEnd();
    }
}

uint64_t
Requester::GetSendableBytes(uint32_t messages) const
{
    const uint64_t inFlight = GetInFlightBytes();
    const uint64_t window = m_pacer.GetWindowBytes();
    const uint64_t allowed = window > inFlight ? window - inFlight : 0;
    return std::min(allowed,
                    m_queue.GetBytesBefore(GetEndOfMessages(m_next, messages)) - m_sentBytes);
}

bool
Requester::CanSend() const
{
    if (HasResends())
    {
        return true;
    }
    if (m_next == m_known || m_isBroken)
    {
        return false;
    }
    if ((m_isDraining || m_queue.HasSpecial()) && !CanBegin())
    {
        return false;
    }
    // One packet may always be in flight, however small the window: without it nothing would move.
    if (m_next - m_unacked >= Psn::MAX_WINDOW - 1)
    {
        return false;
    }
    const uint64_t inFlight = GetInFlightBytes();
    if (inFlight == 0)
    {
        return true;
    }
    // The full packet is the common case and spares a look at the message.
    return inFlight + m_queue.GetMtu() <= m_pacer.GetWindowBytes() ||
           inFlight + m_queue.Plan(m_next).payloadBytes <= m_pacer.GetWindowBytes();
}

bool
Requester::CanBegin() const
{
    const Message& message = m_queue.Find(m_next);
    if (message.firstPacket != m_next)
    {
        return true; // Begun already.
    }
    const bool isReadWanted = message.hasResponse;
    return !m_isDraining && message.status == WcStatus::SUCCESS &&
           !(message.GetRequest().isFenced && m_readsUnderWay > 0) &&
           !(isReadWanted && m_readsUnderWay >= m_rules->maxReadsAndAtomics) &&
           message.endPacket - m_unacked < Psn::MAX_WINDOW;
}

Requester::Outgoing
Requester::TakeNext()
{
    const bool isRetransmission = HasResends();
    const uint64_t number = isRetransmission ? m_extras->resend.TakeFirst() : m_next;
    const Outgoing packet{m_queue.Plan(number), Psn(number), isRetransmission};
    if (packet.plan.count > 1)
    {
        RemoveResendsBefore(number + packet.plan.count); // One request asks for all of them.
    }
    return packet;
}

void
Requester::OnSent(const Outgoing& packet, uint32_t wireBytes, Tick now)
{
    if (packet.isRetransmission)
    {
        ++m_retransmitted;
    }
    else
    {
        ++m_packets;
        m_next += packet.plan.count;
        m_sentBytes += packet.plan.payloadBytes;
        m_readsUnderWay += packet.plan.message->hasResponse;
    }
    if (m_isSentHeard)
    {
        m_pacer.OnSent(wireBytes, *m_rules, now);
    }
    else
    {
        m_pacer.Pace(wireBytes, now);
    }
    if (m_isSentTracked)
    {
        m_lossRecovery->OnSent({packet.psn, packet.psn + packet.plan.count}, ToTime(now));
    }
    if (!m_isReliable)
    {
        m_ackedBytes = m_sentBytes; // Nothing counts as in flight.
        if (packet.plan.isLast)
        {
            GetExtras().leaving.push_back(m_next);
        }
    }
    else if (!m_timer.IsRunning())
    {
        m_timer.Start(now, *m_lossRecovery, GetWindow());
    }
}

Completions
Requester::OnLeft()
{
    Completions completions;
    if (m_extras && !m_extras->leaving.empty())
    {
        m_unacked = m_extras->leaving.front();
        m_extras->leaving.erase(m_extras->leaving.begin());
        CompleteOldest(completions);
    }
    return completions;
}

SendWindow
Requester::GetWindow() const
{
    return {Psn(m_unacked), Psn(m_next)};
}

bool
Requester::Advance(uint64_t acknowledged, Completions& completions)
{
    if (acknowledged <= m_unacked)
    {
        return false;
    }
    m_ackedBytes = acknowledged == m_next ? m_sentBytes : m_queue.GetBytesBefore(acknowledged);
    m_unacked = acknowledged;
    m_timer.ForgetRetries();
    m_hasMissedResponse = false;
    RemoveResendsBefore(acknowledged);
    CompleteOldest(completions);
    return true;
}

void
Requester::CompleteOldest(Completions& completions)
{
    while (m_queue.IsOldestDone(m_unacked))
    {
        const Message& message = m_queue.GetOldest();
        const bool isRead = message.family == opcode::READ_REQUEST;
        const uint32_t readsDone = m_extras ? m_extras->readsDone : 0;
        if (isRead && m_acknowledgesReads && Psn(readsDone) - Psn(message.detail->order) <= 0)
        {
            break; // The request has arrived, the response has not.
        }
        m_readsUnderWay -= message.hasResponse;
        Report(message, WcStatus::SUCCESS, completions);
        // A READ may have been asked for again while its response was on its way.
        RemoveResendsBefore(message.endPacket);
        m_queue.DropOldest();
    }
}

void
Requester::Report(const Message& message, WcStatus status, Completions& completions) const
{
    const SendWorkRequest& request = message.GetRequest();
    const bool isResponse = message.family == opcode::READ_RESPONSE_FIRST;
    const bool isWanted = request.isSignaled || m_rules->isEverythingSignaled;
    if (isResponse || (status == WcStatus::SUCCESS && !isWanted))
    {
        return;
    }
    WorkCompletion completion{message.wrId, status, m_qpNumber};
    completion.opcode = GetWcOpcode(request.opcode);
    completion.byteLength = static_cast<uint32_t>(message.bytes);
    completions.push_back(completion);
}

Completions
Requester::OnAck(const Frame& frame, Tick now, AnswerWay way)
{
    FetchPolicies();
    Completions completions;
    const bool isAck = (frame.syndrome & 0x60) == 0;
    // An ACK names the last packet that arrived, a NAK the first that did not.
    const uint64_t acknowledged = Psn(frame.psn).Expand(m_unacked) + (isAck ? 1 : 0);
    const bool isKnown = isAck || syndrome::IsNak(frame.syndrome);
    if (acknowledged > m_next || m_isBroken || !isKnown)
    {
        return completions; // Of packets never sent: from an earlier life of the connection.
    }
    const uint64_t ackedBefore = m_ackedBytes;
    const uint64_t allowed = m_readsUnderWay == 0
                                 ? acknowledged
                                 : std::min(acknowledged, m_queue.FindResponseNumber(m_unacked));
    const bool hasAdvanced = Advance(allowed, completions);
    UpdateTimer(hasAdvanced, now);
    if (allowed < acknowledged)
    {
        GetExtras().heardOf = std::max(GetExtras().heardOf, acknowledged);
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
    else if (!isAck && m_unacked < m_next)
    {
        ++GetExtras().naks;
        NackEvent nack{Psn(frame.psn), std::nullopt, GetTiming(frame, now)};
        if (frame.flags & frame_flag::SELECTIVE)
        {
            nack.selective = Psn(frame.ack.selectivePsn);
        }
        ObeyAnswer("OnNack()", m_lossRecovery->OnNack(nack, GetWindow()), now);
    }
    else if (hasAdvanced && m_isAckHeard)
    {
        // Also when nothing is in flight: what it remembers must go before PSNs come round again.
        ObeyAnswer("OnAck()", m_lossRecovery->OnAck(GetWindow(), GetTiming(frame, now)), now);
    }
    const bool isCeEchoed = (frame.flags & frame_flag::CE_ECHO) != 0;
    m_isSooner |= m_pacer.OnAck({ToTime(now),
                                 ToTime(now - frame.sendTime),
                                 m_ackedBytes - ackedBefore,
                                 GetInFlightBytes(),
                                 isCeEchoed,
                                 isCeEchoed ? m_ackedBytes - ackedBefore : 0,
                                 m_queue.GetPostedBytes() - m_sentBytes,
                                 way.hostTime > 0 ? ToTime(way.hostTime) : Time(),
                                 way.path},
                                *m_rules,
                                now);
    return completions;
}

void
Requester::OnNak(const Frame& frame, uint64_t refused, Completions& completions, Tick now)
{
    if (refused < m_unacked || refused >= m_next)
    {
        return; // Late: what it refuses has been accepted since.
    }
    WcStatus status = GetStatusOfNak(frame.syndrome);
    if (syndrome::IsRnrNak(frame.syndrome))
    {
        Extras& extras = GetExtras();
        if (now < extras.receiverReadyAt && m_timer.GetRnrRetries() > 0)
        {
            return; // Of a packet that was under way when the wait for the same one began.
        }
        constexpr uint32_t FOR_EVER{7};
        ++extras.rnrNaks;
        if (m_rules->rnrRetry == FOR_EVER || m_timer.GetRnrRetries() < m_rules->rnrRetry)
        {
            m_timer.CountRnrRetry();
            extras.receiverReadyAt = now + GetRnrDelay(frame.syndrome & 0x1f);
            m_timer.Stop(); // Runs again from the next packet on.
            Obey("OnRnrNak()", m_lossRecovery->OnRnrNak(GetWindow()));
            return;
        }
        status = WcStatus::RNR_RETRY_EXC_ERR;
    }
    GetExtras().failure = {refused, status};
    m_isDraining = true;
    FailWhenDue(completions);
}

void
Requester::FailWhenDue(Completions& completions)
{
    // The responses of acknowledged READs come on their own: those before the failure are awaited.
    if (!m_extras || !m_extras->failure)
    {
        return;
    }
    const Failure failure = *m_extras->failure;
    if (m_queue.IsEmpty() || m_queue.GetOldest().endPacket > failure.packet)
    {
        Append(Break(failure.status), completions);
    }
}

void
Requester::OnMissingResponse(Tick now)
{
    if (!m_hasMissedResponse)
    {
        m_hasMissedResponse = true;
        ObeyAnswer("OnMissingResponse()", m_lossRecovery->OnMissingResponse(GetWindow()), now);
    }
}

Completions
Requester::OnResponse(const Frame& frame, const FrameDetail* detail, Tick now)
{
    Completions completions;
    const uint64_t number = Psn(frame.psn).Expand(m_unacked);
    if (m_isBroken || number < m_unacked || number >= m_next)
    {
        return completions; // Answered before.
    }
    const uint64_t ackedBefore = m_ackedBytes;
    const uint64_t awaited = m_queue.FindResponseNumber(m_unacked);
    // All requests before the answered one have arrived, but their responses may have been lost.
    bool hasAdvanced = Advance(std::min(number, awaited), completions);
    if (number > awaited)
    {
        OnMissingResponse(now);
    }
    else
    {
        if (number < awaited || !Deliver(number, frame, detail))
        {
            Append(Break(WcStatus::BAD_RESP_ERR), completions);
            return completions;
        }
        hasAdvanced = Advance(number + 1, completions);
        // An acknowledgment may have been here before this response.
        const uint64_t heardOf = m_extras ? m_extras->heardOf : 0;
        Advance(std::min(heardOf, m_queue.FindResponseNumber(m_unacked)), completions);
        ObeyAnswer("OnAck()", m_lossRecovery->OnAck(GetWindow(), GetTiming(frame, now)), now);
    }
    UpdateTimer(hasAdvanced, now);
    if (m_ackedBytes > ackedBefore)
    {
        m_isSooner |= m_pacer.OnAck({ToTime(now),
                                     ToTime(now - frame.sendTime),
                                     m_ackedBytes - ackedBefore,
                                     GetInFlightBytes(),
                                     false,
                                     0,
                                     m_queue.GetPostedBytes() - m_sentBytes},
                                    *m_rules,
                                    now);
    }
    return completions;
}

bool
Requester::Deliver(uint64_t number, const Frame& frame, const FrameDetail* detail) const
{
    const Message& message = m_queue.Find(number);
    const uint64_t offset = (number - message.firstPacket) * m_queue.GetMtu();
    if (!FitsRequest(message, offset, m_queue.GetMtu(), frame))
    {
        return false;
    }
    PlaceResponse(message, offset, detail, PeekPointer(m_rules->domain));
    return true;
}

void
Requester::PlaceReadData(const Frame& frame, const FrameDetail* detail)
{
    if (const Message* message = m_queue.FindRead(frame.ssn))
    {
        const uint64_t offset = uint64_t{frame.psnOffset} * m_queue.GetMtu();
        PlaceResponse(*message, offset, detail, PeekPointer(m_rules->domain));
    }
}

Completions
Requester::OnReadsDone(uint32_t count, Tick now)
{
    Completions completions;
    Extras& extras = GetExtras();
    const bool hasAdvanced = count != extras.readsDone;
    extras.readsDone = count;
    CompleteOldest(completions);
    if (m_unacked == m_next)
    {
        UpdateTimer(hasAdvanced, now); // While requests are under way, the timer is theirs.
    }
    FailWhenDue(completions);
    return completions;
}

Completions
Requester::EndBadRequest()
{
    if (!m_queue.HasSpecial() || m_next == m_known || !IsIdle() || m_isBroken || m_isDraining)
    {
        return {};
    }
    const Message& message = m_queue.Find(m_next);
    return message.status == WcStatus::SUCCESS ? Completions{} : Break(message.status);
}

uint64_t
Requester::Obey(const char* call, const ResendList& resend)
{
    uint64_t lostBytes = 0;
    m_isAckHeard = m_lossRecovery->HearsOfAcks();
    for (const PsnRange& range : resend)
    {
        const uint64_t first = range.first.Expand(m_unacked);
        const uint64_t end = range.end.Expand(m_unacked);
        if (first < m_unacked || end < first || end > m_next)
        {
            FailResend(call, range);
        }
        GetExtras().resend.Add(first, end);
        lostBytes += m_queue.GetBytesBefore(end) - m_queue.GetBytesBefore(first);
    }
    return lostBytes;
}

void
Requester::ObeyAnswer(const char* call, const ResendList& resend, Tick now)
{
    const uint64_t lostBytes = Obey(call, resend);
    if (!resend.empty())
    {
        m_isSooner |= m_pacer.OnLoss({ToTime(now), lostBytes, GetInFlightBytes()}, *m_rules, now);
    }
}

void
Requester::FailResend(const char* call, const PsnRange& range) const
{
    const auto describe = [](Psn first, Psn end) {
        return std::to_string(first.Get()) + " up to, not including, " + std::to_string(end.Get());
    };
    FailPolicy(*m_lossRecovery,
               call,
               "packets of the window, PSN " + describe(Psn(m_unacked), Psn(m_next)),
               describe(range.first, range.end));
}

void
Requester::RemoveResendsBefore(uint64_t number)
{
    if (m_extras)
    {
        m_extras->resend.RemoveBefore(number);
    }
}

void
Requester::UpdateTimer(bool hasAdvanced, Tick now)
{
    if (m_unacked == m_next && !AwaitsReads())
    {
        m_timer.Stop();
    }
    else if (hasAdvanced || m_unacked == m_next)
    {
        m_timer.ForgetRetries();
        m_timer.Start(now, *m_lossRecovery, GetWindow());
    }
}

Completions
Requester::OnDeadline(Tick now)
{
    if (m_pacer.GetDeadline() <= now)
    {
        m_isSooner |= m_pacer.OnDeadline(*m_rules, now);
    }
    if (!m_timer.Expires(now, *m_lossRecovery, GetWindow()))
    {
        return {};
    }
    ++m_timeouts;
    if (m_timer.GetRetries() >= m_rules->retryCount)
    {
        return Break(WcStatus::RETRY_EXC_ERR);
    }
    m_timer.CountRetry();
    m_hasMissedResponse = false;
    uint64_t lostBytes = 0;
    if (m_unacked == m_next)
    {
        // All requests have arrived, a READ's response has not: ask whether the peer still lives.
        GetExtras().resend.Add(m_queue.GetOldest().firstPacket, m_queue.GetOldest().endPacket);
    }
    else
    {
        lostBytes = Obey("OnTimeout()", m_lossRecovery->OnTimeout(GetWindow(), ToTime(now)));
    }
    m_isSooner |=
        m_pacer.OnTimeout({ToTime(now), lostBytes, GetInFlightBytes(), m_timer.GetRetries()},
                          *m_rules,
                          now);
    m_timer.Start(now, *m_lossRecovery, GetWindow());
    return {};
}

Completions
Requester::Break(WcStatus status)
{
    Completions completions;
    m_isBroken = true;
    if (m_extras)
    {
        m_extras->failure.reset();
        m_extras->leaving.clear();
        m_extras->resend.Clear();
    }
    m_timer.Stop();
    m_pacer.Stop();
    m_readsUnderWay = 0;
    while (!m_queue.IsEmpty())
    {
        Report(m_queue.GetOldest(), status, completions);
        m_queue.DropOldest();
        status = WcStatus::WR_FLUSH_ERR;
    }
    return completions;
}

} // namespace ns3::rdma
