// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/nic-receiver.h"

#include "ns3/opcode.h"

#include <algorithm>

namespace ns3::rdma
{

NicReceiver::NicReceiver(FabricDevice& device,
                         const TransportFactory& factory,
                         NicTransmitter& transmitter,
                         Tick cnpInterval)
    : m_transmitter(transmitter),
      m_factory(factory),
      m_device(device),
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
    ++GetParts().core.packetHops;
    if (GetParts().core.pool[index].opcode == OPAQUE_OPCODE)
    {
        m_device.Deliver(index);
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
    const Frame& frame = GetParts().core.pool[index];
    const FrameDetail* detail = GetParts().core.pool.FindDetail(frame);
    QueuePair* queuePair = GetParts().table.Find(frame.dstQp);
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
        ReceiveRequest(*queuePair, frame, detail);
    }
    else if (queuePair->requester)
    {
        if (m_slowPath && m_slowPath->IsFor(frame))
        {
            m_slowPath->Divert(index);
            return;
        }
        Completions completions = ReceiveResponse(*queuePair, frame, detail);
        m_transmitter.Activate(*queuePair);
        GetParts().reporter.FinishRequests(*queuePair, completions);
    }
    GetParts().core.pool.Free(index);
    GetParts().reporter.Deliver();
    if (m_engine)
    {
        GetParts().reporter.HoldUntil(0); // What other calls report does not wait for this packet.
    }
}

Completions
NicReceiver::ReceiveResponse(QueuePair& queuePair, const Frame& frame, const FrameDetail* detail)
{
    // The usual answer apart from the others, which few fabric runs have.
    return frame.opcode == opcode::ACK
               ? queuePair.requester->OnAck(frame, GetParts().core.engine->Now())
               : ReceiveAnswer(queuePair, frame, detail);
}

bool
NicReceiver::HandleAnswer(FrameIndex index, bool activates)
{
    const Frame& frame = GetParts().core.pool[index];
    QueuePair* queuePair = GetParts().table.Find(frame.dstQp);
    bool hasResends = false;
    if (queuePair && queuePair->state >= QpState::RTR && queuePair->requester)
    {
        Completions completions =
            ReceiveResponse(*queuePair, frame, GetParts().core.pool.FindDetail(frame));
        const Requester* readSender = queuePair->GetReadSender();
        hasResends = queuePair->requester->HasResends() || (readSender && readSender->HasResends());
        if (activates || !hasResends)
        {
            m_transmitter.Activate(*queuePair);
        }
        GetParts().reporter.FinishRequests(*queuePair, completions);
    }
    GetParts().core.pool.Free(index);
    GetParts().reporter.Deliver();
    return hasResends;
}

void
NicReceiver::Activate(uint32_t number)
{
    QueuePair* queuePair = GetParts().table.Find(number);
    if (queuePair && queuePair->requester)
    {
        m_transmitter.Activate(*queuePair);
    }
}

void
NicReceiver::Acknowledge(uint32_t number, Psn expected, Tick sendTime)
{
    QueuePair* queuePair = GetParts().table.Find(number);
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
    SendControl(GetParts().frames.MakeAcknowledgment(*queuePair, acknowledgment));
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
        GetParts().reporter.HoldUntil(
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
                               : GetParts().table.GetPlace(queuePair.number);
    return m_engine->Place(frame, takesRequest ? queue : 0, queuePair.GetExtras().receiveWqeAt);
}

void
NicReceiver::ReceiveRequest(QueuePair& queuePair, const Frame& frame, const FrameDetail* detail)
{
    if (opcode::GetService(frame.opcode) != queuePair.service)
    {
        CountDrop(frame, DropReason::REFUSED);
        return;
    }
    if (frame.flags & frame_flag::CE)
    {
        NotifyOfCongestion(queuePair, frame);
    }
    if (queuePair.service != Service::RC)
    {
        ReceiveUnreliable(queuePair, frame, detail);
        return;
    }
    const Answer answer = Accept(queuePair, frame, detail);
    if (answer.isDropped)
    {
        CountDrop(frame, answer.dropReason);
    }
    if (answer.hasAck)
    {
        SendControl(GetParts().frames.MakeAcknowledgment(queuePair, answer.acknowledgment));
    }
    if (answer.hasResponses || answer.isDropped || queuePair.hasResponses)
    {
        HandleResponses(queuePair);
    }
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
    GetParts().reporter.CompleteReceive(queuePair, responder.TakeCompletions());
    GetParts().reporter.TellIfLow(queuePair.GetSetup().receiveQueue);
    m_factory.GetRequester(queuePair); // READ responses leave at its pace.
    queuePair.hasResponses = responder.HasResponses();
    if (const auto error = responder.GetError())
    {
        GetParts().reporter.EnterError(queuePair, *error);
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
        GetParts().reporter.HoldUntil(Place(queuePair, frame));
    }
    if (answer.completion)
    {
        GetParts().reporter.CompleteReceive(queuePair, {{*answer.completion, answer.isSolicited}});
    }
    GetParts().reporter.TellIfLow(queuePair.GetSetup().receiveQueue);
    if (answer.error)
    {
        GetParts().reporter.EnterError(queuePair, *answer.error);
    }
}

Completions
NicReceiver::ReceiveAnswer(QueuePair& queuePair, const Frame& frame, const FrameDetail* detail)
{
    const Tick now = GetParts().core.engine->Now();
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
        SendControl(GetParts().frames.MakeAcknowledgment(queuePair, answer.acknowledgment));
    }
    if (answer.isNew)
    {
        queuePair.requester->PlaceReadData(frame, detail);
    }
    return queuePair.requester->OnReadsDone(receiver.GetMsn(), GetParts().core.engine->Now());
}

void
NicReceiver::NotifyOfCongestion(QueuePair& queuePair, const Frame& frame)
{
    const Tick now = GetParts().core.engine->Now();
    if (m_factory.GetDefaults().feedback == Feedback::CNP && now >= queuePair.nextCnp)
    {
        queuePair.nextCnp = now + m_cnpInterval;
        ++m_cnpsSent;
        SendControl(GetParts().frames.MakeCnp(queuePair, frame));
    }
}

void
NicReceiver::CountDrop(const Frame& frame, DropReason reason)
{
    GetParts().core.drops.Count(reason);
    GetParts().port.GetDropTrace()(frame, reason);
}

} // namespace ns3::rdma
