// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/nic-transport.h"

#include "ns3/opcode.h"
#include "ns3/payload-services.h"

#include <algorithm>

namespace ns3::rdma
{

NicTransport::NicTransport(NicParts& parts, const TransportFactory& factory, Tick cnpInterval)
    : m_parts(parts),
      m_factory(factory),
      m_cnpInterval(cnpInterval)
{
}

QueuePair*
NicTransport::FindReceiver(const Frame& frame)
{
    QueuePair* queuePair = m_parts.Find(frame.dstQp);
    if (!queuePair)
    {
        queuePair = m_parts.paths ? m_parts.paths->Adopt(frame) : nullptr;
        if (!queuePair)
        {
            CountDrop(frame, DropReason::UNKNOWN_QP);
            return nullptr;
        }
    }
    if (queuePair->state < QpState::RTR ||
        (queuePair->state == QpState::ERR && frame.opcode != opcode::READ_ACK))
    {
        CountDrop(frame, DropReason::REFUSED);
        return nullptr;
    }
    return queuePair->requester || opcode::IsRequest(frame.opcode) ? queuePair : nullptr;
}

RequestOutcome
NicTransport::OnRequest(QueuePair& queuePair, const Frame& frame, const FrameDetail* detail)
{
    if (opcode::GetService(frame.opcode) != queuePair.service)
    {
        CountDrop(frame, DropReason::REFUSED);
        return {};
    }
    if (queuePair.service != Service::RC)
    {
        return OnUnreliable(queuePair, frame, detail);
    }
    const FrameIndex cnp = MakeCnp(queuePair, frame);
    Responder& responder = m_factory.GetResponder(queuePair);
    const Psn expected = responder.GetExpected();
    RequestOutcome outcome{responder.OnData(frame, detail), cnp, expected, true};
    outcome.isPlaced = outcome.answer.isNew;
    if (outcome.answer.isDropped)
    {
        CountDrop(frame, outcome.answer.dropReason);
    }
    if (outcome.cnp == NO_FRAME && m_factory.GetDefaults().notifiesLoss && outcome.answer.hasAck &&
        outcome.answer.acknowledgment.syndrome == syndrome::NAK_PSN_SEQUENCE)
    {
        outcome.cnp = MakeDueCnp(queuePair, frame);
    }
    if (outcome.answer.hasResponses || outcome.answer.isDropped || queuePair.hasResponses)
    {
        CollectResponses(queuePair);
        outcome.mayActivate = true;
        outcome.hasReports = true;
    }
    return outcome;
}

void
NicTransport::CollectResponses(QueuePair& queuePair)
{
    Responder& responder = *queuePair.responder;
    for (const AcceptedRead& read : responder.TakeReads())
    {
        m_factory.GetReadSender(queuePair).PostResponse(read.address,
                                                        read.bytes,
                                                        queuePair.GetExtras().readStreams.count++);
    }
    m_parts.reporter.CompleteReceive(queuePair, responder.TakeCompletions());
    m_parts.reporter.ReportIfLow(queuePair.GetSetup().receiveQueue);
    m_factory.GetRequester(queuePair); // READ responses leave at its pace.
    queuePair.hasResponses = responder.HasResponses();
    if (const auto error = responder.GetError())
    {
        m_parts.reporter.EnterError(queuePair, *error);
    }
}

RequestOutcome
NicTransport::OnUnreliable(QueuePair& queuePair, const Frame& frame, const FrameDetail* detail)
{
    RequestOutcome outcome{};
    outcome.cnp = MakeCnp(queuePair, frame);
    outcome.hasReports = true;
    const UnreliableAnswer answer = m_factory.GetUnreliable(queuePair).OnData(frame, detail);
    if (answer.drop)
    {
        CountDrop(frame, *answer.drop);
    }
    outcome.isPlaced = !answer.drop;
    outcome.answer.placedAt = answer.placedAt;
    if (answer.completion)
    {
        m_parts.reporter.CompleteReceive(queuePair, {{*answer.completion, answer.isSolicited}});
    }
    m_parts.reporter.ReportIfLow(queuePair.GetSetup().receiveQueue);
    if (answer.error)
    {
        m_parts.reporter.EnterError(queuePair, *answer.error);
    }
    return outcome;
}

ResponseOutcome
NicTransport::OnResponse(QueuePair& queuePair,
                         const Frame& frame,
                         const FrameDetail* detail,
                         Tick heldFor)
{
    if (!m_parts.traces)
    {
        return Handle(queuePair, frame, detail, heldFor);
    }
    const QueuePairTraces::SendState before(*queuePair.requester);
    m_parts.traces->ReportArrival(queuePair.number, frame);
    const ResponseOutcome outcome = Handle(queuePair, frame, detail, heldFor);
    m_parts.traces->ReportChange(queuePair.number, before, *queuePair.requester, &frame);
    return outcome;
}

[[gnu::always_inline]] inline ResponseOutcome
NicTransport::Handle(QueuePair& queuePair,
                     const Frame& frame,
                     const FrameDetail* detail,
                     Tick heldFor)
{
    ResponseOutcome outcome;
    const AnswerWay way{detail ? detail->path : nullptr, frame.hostDelay + heldFor};
    // The usual answer apart from the others, which few fabric runs have.
    Completions completions =
        frame.opcode == opcode::ACK
            ? queuePair.requester->OnAck(frame, m_parts.core.engine->Now(), way)
            : OnAnswer(queuePair, frame, detail, way, outcome);
    outcome.hasReports = m_parts.reporter.FinishRequests(queuePair, completions);
    return outcome;
}

Completions
NicTransport::OnAnswer(QueuePair& queuePair,
                       const Frame& frame,
                       const FrameDetail* detail,
                       AnswerWay way,
                       ResponseOutcome& outcome)
{
    const Tick now = m_parts.core.engine->Now();
    Requester& requester = *queuePair.requester;
    Requester* readSender = queuePair.GetReadSender();
    if (frame.opcode == opcode::ATOMIC_ACK)
    {
        return requester.OnResponse(frame, detail, now);
    }
    if (opcode::GetKind(frame.opcode) == OpcodeKind::READ_RESPONSE)
    {
        outcome.cnp = MakeCnp(queuePair, frame);
        outcome.isPlaced = true;
        if (m_factory.GetDefaults().rules.acknowledgesReads)
        {
            return OnReadStream(queuePair, frame, detail, outcome);
        }
        outcome.isPlaced = HasRoom(queuePair);
        if (!outcome.isPlaced)
        {
            CountDrop(frame, DropReason::KERNEL_BUSY);
            return {};
        }
        return requester.OnResponse(frame, detail, now);
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
        readSender->OnAck(frame, now, way);
    }
    return {};
}

bool
NicTransport::HasRoom(const QueuePair& queuePair) const
{
    const auto& handlers = queuePair.GetSetup().init.handlers;
    const PayloadServices* services = handlers ? handlers->FindServices(queuePair.number) : nullptr;
    return !services || services->HasRoom(queuePair.number);
}

Completions
NicTransport::OnReadStream(QueuePair& queuePair,
                           const Frame& frame,
                           const FrameDetail* detail,
                           ResponseOutcome& outcome)
{
    Responder& receiver = m_factory.GetReadReceiver(queuePair);
    if (!receiver.IsPast(Psn(frame.psn)) && !queuePair.requester->IsReadUnderWay(frame.ssn))
    {
        CountDrop(frame, DropReason::REFUSED); // Unsolicited.
        return {};
    }
    const Answer answer = receiver.OnData(frame, detail);
    if (answer.isDropped)
    {
        CountDrop(frame, answer.dropReason);
    }
    if (answer.hasAck)
    {
        outcome.answer = MakeAcknowledgment(queuePair, answer.acknowledgment, frame);
    }
    if (answer.isNew)
    {
        queuePair.requester->PlaceReadData(frame, detail);
    }
    return queuePair.requester->OnReadsDone(receiver.GetMsn(), m_parts.core.engine->Now());
}

FrameIndex
NicTransport::MakeCnp(QueuePair& queuePair, const Frame& frame)
{
    return frame.flags & frame_flag::CE ? MakeDueCnp(queuePair, frame) : NO_FRAME;
}

FrameIndex
NicTransport::MakeDueCnp(QueuePair& queuePair, const Frame& frame)
{
    if (m_factory.GetDefaults().feedback != Feedback::CNP)
    {
        return NO_FRAME;
    }
    const Tick now = m_parts.core.engine->Now();
    if (now < queuePair.nextCnp)
    {
        return NO_FRAME;
    }
    queuePair.nextCnp = now + m_cnpInterval;
    ++m_cnpsSent;
    return m_parts.frames.MakeCnp(queuePair, frame);
}

void
NicTransport::CountDrop(const Frame& frame, DropReason reason)
{
    m_parts.port.CountDrop(frame, reason);
}

} // namespace ns3::rdma
