// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/nic-receiver.h"

#include "ns3/opcode.h"

#include <algorithm>

namespace ns3::rdma
{

NicReceiver::NicReceiver(NicParts& parts,
                         const TransportFactory& factory,
                         NicTransmitter& transmitter,
                         Tick cnpInterval)
    : m_parts(parts),
      m_transmitter(transmitter),
      m_factory(factory),
      m_cnpInterval(cnpInterval)
{
}

void
NicReceiver::SetEngine(ReceiveEngine* engine, SlowPath* slowPath)
{
    m_engine = engine;
    m_slowPath = slowPath;
}

void
NicReceiver::Receive(FrameIndex index)
{
    FetchLines<2>(&m_parts.port); // For the answer.
    ++m_parts.core.packetHops;
    if (m_parts.core.pool[index].opcode == OPAQUE_OPCODE)
    {
        m_parts.device.Deliver(index);
    }
    else if (m_engine)
    {
        m_engine->Arrive(index);
    }
    else
    {
        Handle(index);
    }
}

void
NicReceiver::Handle(FrameIndex index)
{
    const Frame& frame = m_parts.core.pool[index];
    const FrameDetail* detail = m_parts.core.pool.FindDetail(frame);
    QueuePair* queuePair = m_parts.Find(frame.dstQp);
    bool hasReports = false;
    if (!queuePair)
    {
        CountDrop(frame, DropReason::UNKNOWN_QP);
    }
    else if (queuePair->state < QpState::RTR ||
             (queuePair->state == QpState::ERR && frame.opcode != opcode::READ_ACK))
    {
        CountDrop(frame, DropReason::REFUSED);
    }
    else if (opcode::IsRequest(frame.opcode))
    {
        hasReports = ReceiveRequest(*queuePair, frame, detail);
    }
    else if (queuePair->requester)
    {
        FetchLines<4>(queuePair->requester.get());
        FetchLines<1>(&m_transmitter);
        if (m_slowPath && m_slowPath->IsFor(frame))
        {
            m_slowPath->Divert(index);
            return;
        }
        Completions completions = ReceiveResponse(*queuePair, frame, detail);
        m_transmitter.Activate(*queuePair);
        hasReports = m_parts.reporter.FinishRequests(*queuePair, completions);
    }
    m_parts.core.pool.Free(index);
    if (hasReports)
    {
        m_parts.reporter.Deliver();
    }
    if (m_engine)
    {
        m_parts.reporter.HoldUntil(0); // What other calls report does not wait for this packet.
    }
}

Completions
NicReceiver::ReceiveResponse(QueuePair& queuePair, const Frame& frame, const FrameDetail* detail)
{
    // The usual answer apart from the others, which few fabric runs have.
    return frame.opcode == opcode::ACK
               ? queuePair.requester->OnAck(frame, m_parts.core.engine->Now())
               : ReceiveAnswer(queuePair, frame, detail);
}

bool
NicReceiver::HandleAnswer(FrameIndex index, bool activates)
{
    const Frame& frame = m_parts.core.pool[index];
    QueuePair* queuePair = m_parts.Find(frame.dstQp);
    bool hasResends = false;
    if (queuePair && queuePair->state >= QpState::RTR && queuePair->requester)
    {
        Completions completions =
            ReceiveResponse(*queuePair, frame, m_parts.core.pool.FindDetail(frame));
        const Requester* readSender = queuePair->GetReadSender();
        hasResends = queuePair->requester->HasResends() || (readSender && readSender->HasResends());
        if (activates || !hasResends)
        {
            m_transmitter.Activate(*queuePair);
        }
        m_parts.reporter.FinishRequests(*queuePair, completions);
    }
    m_parts.core.pool.Free(index);
    m_parts.reporter.Deliver();
    return hasResends;
}

void
NicReceiver::Activate(uint32_t number)
{
    QueuePair* queuePair = m_parts.Find(number);
    if (queuePair && queuePair->requester)
    {
        m_transmitter.Activate(*queuePair);
    }
}

void
NicReceiver::Acknowledge(uint32_t number, Psn expected, Tick sendTime)
{
    QueuePair* queuePair = m_parts.Find(number);
    if (!queuePair || !queuePair->responder || queuePair->state < QpState::RTR)
    {
        return;
    }
    const Responder& responder = *queuePair->responder;
    Acknowledgment acknowledgment{};
    acknowledgment.operation = opcode::ACK;
    acknowledgment.syndrome = syndrome::ACK;
    const bool isBehind = responder.GetExpected().IsBefore(expected);
    acknowledgment.psn = (isBehind ? responder.GetExpected() : expected) + Psn::MASK;
    acknowledgment.selective = acknowledgment.psn;
    acknowledgment.msn = responder.GetMsn();
    acknowledgment.sendTime = sendTime;
    SendControl(m_parts.frames.MakeAcknowledgment(*queuePair, acknowledgment));
}

Answer
NicReceiver::Accept(QueuePair& queuePair, const Frame& frame, const FrameDetail* detail)
{
    Responder& responder = m_factory.GetResponder(queuePair);
    if (!m_engine)
    {
        return responder.OnData(frame, detail);
    }
    const Psn expected = responder.GetExpected();
    Answer answer = responder.OnData(frame, detail);
    const Tick placedAt = answer.isNew ? Place(queuePair, frame) : 0;
    // A packet that fills a gap is accepted, even if one kept behind it is refused and says
    // dropped.
    if (answer.isNew || !answer.isDropped)
    {
        m_parts.reporter.HoldUntil(
            std::max(placedAt, m_slowPath->OnRequest(queuePair.number, frame, expected)));
        m_slowPath->Restrict(queuePair.number, answer.acknowledgment);
    }
    return answer;
}

Tick
NicReceiver::Place(QueuePair& queuePair, const Frame& frame)
{
    // Queues are named by their queue pairs; all shared ones by a number that none has.
    constexpr uint32_t SHARED{1};
    const uint8_t operation = opcode::GetOperation(frame.opcode);
    const bool takesRequest = (opcode::IsSend(operation) && opcode::IsFirst(operation)) ||
                              (opcode::IsWrite(operation) && opcode::HasImmediate(operation));
    const uint32_t queue = queuePair.GetSetup().init.sharedReceiveQueue
                               ? SHARED
                               : m_parts.table.GetPlace(queuePair.number);
    return m_engine->Place(frame, takesRequest ? queue : 0, queuePair.GetExtras().receiveWqeAt);
}

bool
NicReceiver::ReceiveRequest(QueuePair& queuePair, const Frame& frame, const FrameDetail* detail)
{
    if (opcode::GetService(frame.opcode) != queuePair.service)
    {
        CountDrop(frame, DropReason::REFUSED);
        return false;
    }
    if (frame.flags & frame_flag::CE)
    {
        NotifyOfCongestion(queuePair, frame);
    }
    if (queuePair.service != Service::RC)
    {
        ReceiveUnreliable(queuePair, frame, detail);
        return true;
    }
    const Answer answer = Accept(queuePair, frame, detail);
    if (answer.isDropped)
    {
        CountDrop(frame, answer.dropReason);
    }
    if (answer.hasAck)
    {
        SendControl(m_parts.frames.MakeAcknowledgment(queuePair, answer.acknowledgment));
    }
    const bool isDone = !answer.hasResponses && !answer.isDropped && !queuePair.hasResponses;
    if (!isDone)
    {
        HandleResponses(queuePair);
    }
    return !isDone;
}

void
NicReceiver::HandleResponses(QueuePair& queuePair)
{
    Responder& responder = *queuePair.responder;
    for (const AcceptedRead& read : responder.TakeReads())
    {
        m_factory.GetReadSender(queuePair).PostResponse(read.address,
                                                        read.bytes,
                                                        queuePair.GetExtras().readStreams.count++);
    }
    m_parts.reporter.CompleteReceive(queuePair, responder.TakeCompletions());
    m_parts.reporter.TellIfLow(queuePair.GetSetup().receiveQueue);
    m_factory.GetRequester(queuePair); // READ responses leave at its pace.
    queuePair.hasResponses = responder.HasResponses();
    if (const auto error = responder.GetError())
    {
        m_parts.reporter.EnterError(queuePair, *error);
    }
    m_transmitter.Activate(queuePair);
}

void
NicReceiver::ReceiveUnreliable(QueuePair& queuePair, const Frame& frame, const FrameDetail* detail)
{
    const UnreliableAnswer answer = m_factory.GetUnreliable(queuePair).OnData(frame, detail);
    if (answer.drop)
    {
        CountDrop(frame, *answer.drop);
    }
    else if (m_engine)
    {
        m_parts.reporter.HoldUntil(Place(queuePair, frame));
    }
    if (answer.completion)
    {
        m_parts.reporter.CompleteReceive(queuePair, {{*answer.completion, answer.isSolicited}});
    }
    m_parts.reporter.TellIfLow(queuePair.GetSetup().receiveQueue);
    if (answer.error)
    {
        m_parts.reporter.EnterError(queuePair, *answer.error);
    }
}

Completions
NicReceiver::ReceiveAnswer(QueuePair& queuePair, const Frame& frame, const FrameDetail* detail)
{
    const Tick now = m_parts.core.engine->Now();
    Requester& requester = *queuePair.requester;
    Requester* readSender = queuePair.GetReadSender();
    if (frame.opcode == opcode::ATOMIC_ACK)
    {
        return requester.OnResponse(frame, detail, now);
    }
    if (opcode::IsReadResponse(frame.opcode))
    {
        if (frame.flags & frame_flag::CE)
        {
            NotifyOfCongestion(queuePair, frame);
        }
        if (m_engine)
        {
            Place(queuePair, frame);
        }
        return m_factory.GetDefaults().rules.acknowledgesReads
                   ? ReceiveReadStream(queuePair, frame, detail)
                   : requester.OnResponse(frame, detail, now);
    }
    if (frame.opcode == opcode::CNP)
    {
        requester.OnCnp(now);
        if (readSender)
        {
            readSender->OnCnp(now);
        }
    }
    else if (frame.opcode == opcode::READ_ACK && readSender)
    {
        readSender->OnAck(frame, now);
    }
    return {};
}

Completions
NicReceiver::ReceiveReadStream(QueuePair& queuePair, const Frame& frame, const FrameDetail* detail)
{
    Responder& receiver = m_factory.GetReadReceiver(queuePair);
    if (!receiver.IsPast(Psn(frame.psn)) && !queuePair.requester->IsReadUnderWay(frame.ssn))
    {
        CountDrop(frame, DropReason::REFUSED); // Nobody asked for it.
        return {};
    }
    const Answer answer = receiver.OnData(frame, detail);
    if (answer.isDropped)
    {
        CountDrop(frame, answer.dropReason);
    }
    if (answer.hasAck)
    {
        SendControl(m_parts.frames.MakeAcknowledgment(queuePair, answer.acknowledgment));
    }
    if (answer.isNew)
    {
        queuePair.requester->PlaceReadData(frame, detail);
    }
    return queuePair.requester->OnReadsDone(receiver.GetMsn(), m_parts.core.engine->Now());
}

void
NicReceiver::NotifyOfCongestion(QueuePair& queuePair, const Frame& frame)
{
    const Tick now = m_parts.core.engine->Now();
    if (m_factory.GetDefaults().feedback == Feedback::CNP && now >= queuePair.nextCnp)
    {
        queuePair.nextCnp = now + m_cnpInterval;
        ++m_cnpsSent;
        SendControl(m_parts.frames.MakeCnp(queuePair, frame));
    }
}

void
NicReceiver::CountDrop(const Frame& frame, DropReason reason)
{
    m_parts.core.drops.Count(reason);
    m_parts.port.GetDropTrace()(frame, reason);
}

} // namespace ns3::rdma
