// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/nic-transport.h"

#include "ns3/log.h"
#include "ns3/opcode-table.h"
#include "ns3/opcode.h"
#include "ns3/payload-services.h"

#include <algorithm>

namespace ns3::rdma
{

NS_LOG_COMPONENT_DEFINE("NicTransport");

NicTransport::NicTransport(FabricCore& core,
                           const TransportFactory& factory,
                           NicPorts& ports,
                           WorkReporter& reporter,
                           Tick cnpInterval)
    : m_core(core),
      m_factory(factory),
      m_ports(ports),
      m_reporter(reporter),
      m_cnpInterval(cnpInterval)
{
}

QueuePair*
NicTransport::FindAnyReceiver(const Frame& frame, uint32_t port, std::optional<DropReason>& drop)
{
    QueuePair* const queuePair = m_ports.Find(frame.dst, frame.dstQp);
    if (!queuePair)
    {
        drop = DropReason::UNKNOWN_QP;
        return nullptr;
    }
    if (queuePair->GetPort() != port && !m_factory.GetDefaults().entropySelector)
    {
        m_ports.OnOtherPort(*queuePair, frame, port);
    }
    if (queuePair->GetState() < QpState::RTR ||
        (queuePair->GetState() == QpState::ERR && frame.opcode != opcode::READ_ACK))
    {
        drop = DropReason::REFUSED;
        return nullptr;
    }
    if ((frame.flags & frame_flag::TRIMMED) && !m_factory.GetDefaults().receiverControl)
    {
        drop = DropReason::TRIMMED;
        return nullptr;
    }
    return queuePair->GetRequester() || opcode::IsRequest(frame.opcode) ? queuePair : nullptr;
}

ReadPool*
NicTransport::FindReadPool() const
{
    ReadPool* pool = PeekPointer(m_factory.GetDefaults().readPool);
    return pool && pool->NeedsOnPlaced() ? pool : nullptr;
}

OnloadedBitmaps&
NicTransport::OnloadBitmaps()
{
    std::unique_ptr<OnloadedBitmaps>& bitmaps = GetExtras().bitmaps;
    if (!bitmaps)
    {
        bitmaps = std::make_unique<OnloadedBitmaps>();
    }
    return *bitmaps;
}

PacketOutcome
NicTransport::OnRequest(QueuePair& queuePair,
                        const Frame& frame,
                        const FrameDetail* detail,
                        FrameMaker& frames)
{
    NS_LOG_LOGIC(
        "endpoint " << frame.dst << ", queue pair " << queuePair.GetNumber() << " receives "
                    << OpcodeTable::GetName(frame.opcode) << " from endpoint " << frame.src
                    << ", PSN " << frame.psn << ", " << frame.payloadBytes << " B of payload"
                    << (frame.flags & frame_flag::CE ? ", CE" : "")
                    << (frame.flags & frame_flag::TRIMMED ? ", trimmed" : "")
                    << (frame.GetKind() == FrameKind::PROBE ? ", probe" : "")
                    << (frame.flags & frame_flag::RETRANSMISSION ? ", retransmission" : ""));
    PacketOutcome outcome;
    if (opcode::GetService(frame.opcode) != queuePair.GetService())
    {
        outcome.drop = DropReason::REFUSED;
        return outcome;
    }
    outcome.cnp = MakeCnp(queuePair, frame, frames);
    if (queuePair.GetService() == Service::RC)
    {
        if (m_extras && m_extras->credits && frame.GetKind() != FrameKind::PROBE)
        {
            m_extras->credits->OnPacket(queuePair, frame);
        }
        OnReliable(queuePair, frame, detail, frames, outcome);
    }
    else
    {
        OnUnreliable(queuePair, frame, detail, outcome);
    }
    return outcome;
}

[[gnu::always_inline]] inline void
NicTransport::OnReliable(QueuePair& queuePair,
                         const Frame& frame,
                         const FrameDetail* detail,
                         FrameMaker& frames,
                         PacketOutcome& outcome)
{
    // The factory is needed for the first packet only.
    Responder& responder =
        queuePair.GetResponder() ? *queuePair.GetResponder() : m_factory.GetResponder(queuePair);
    const Psn expected = responder.GetExpected();
    Answer answer = responder.OnData(frame, detail);
    outcome.placement = answer.placement;
    NS_LOG_LOGIC("endpoint " << frame.dst << ", queue pair " << queuePair.GetNumber() << ": PSN "
                             << frame.psn << " from endpoint " << frame.src
                             << (answer.isNew       ? " is accepted"
                                 : answer.isDropped ? " is not accepted"
                                                    : " has no new data")
                             << ", next expected PSN " << responder.GetExpected().Get());
    // A trimmed packet that is answered was lost at the switch, which has counted the trim.
    const bool isAnsweredTrim = answer.dropReason == DropReason::TRIMMED && answer.hasAck;
    if (answer.isDropped && !isAnsweredTrim)
    {
        outcome.drop = answer.dropReason;
    }
    if (answer.hasResponses || answer.isDropped || queuePair.HasResponses())
    {
        CollectResponses(queuePair, outcome.completions);
        outcome.wakeAt = 0;
    }
    if (answer.hasAck && answer.acknowledgment.syndrome == syndrome::NAK_PSN_SEQUENCE &&
        outcome.cnp == NO_FRAME && m_factory.GetDefaults().notifiesLoss)
    {
        outcome.cnp = MakeDueCnp(queuePair, frame, frames);
        if (outcome.cnp != NO_FRAME)
        {
            // The slow path of NicHardware::NakDelay makes both; the wire has no such field.
            m_core.pool[outcome.cnp].syndrome = syndrome::NAK_PSN_SEQUENCE;
        }
    }
    // A packet that fills a gap is accepted, even if a kept packet behind it is refused, which sets
    // isDropped.
    if (m_extras && m_extras->bitmaps && (answer.isNew || !answer.isDropped))
    {
        OnloadedBitmaps& bitmaps = *m_extras->bitmaps;
        outcome.isForSoftware = bitmaps.OnRequest(queuePair.GetNumber(),
                                                  Psn(frame.psn),
                                                  expected,
                                                  responder.GetExpected());
        bitmaps.Limit(queuePair.GetNumber(), answer.acknowledgment);
    }
    if (answer.hasAck)
    {
        outcome.answer = MakeAnswer(queuePair, answer.acknowledgment, frame, frames);
    }
}

void
NicTransport::CollectResponses(QueuePair& queuePair, Notices& notices)
{
    Responder& responder = *queuePair.GetResponder();
    for (const AcceptedRead& read : responder.TakeReads())
    {
        m_factory.GetReadSender(queuePair).PostResponse(read.address,
                                                        read.bytes,
                                                        queuePair.CountAcceptedRead());
    }
    WorkReporter::CompleteReceive(queuePair, responder.TakeCompletions(), notices);
    WorkReporter::ReportIfLow(queuePair.GetSetup().receiveQueue, notices);
    m_factory.GetRequester(queuePair); // READ responses are paced by it.
    queuePair.UpdateResponses();
    if (const auto error = responder.GetError())
    {
        m_reporter.EnterError(queuePair, *error, notices);
    }
}

void
NicTransport::OnUnreliable(QueuePair& queuePair,
                           const Frame& frame,
                           const FrameDetail* detail,
                           PacketOutcome& outcome)
{
    const UnreliableAnswer answer = m_factory.GetUnreliable(queuePair).OnData(frame, detail);
    outcome.drop = answer.drop;
    outcome.placement = {answer.drop ? TICK_NEVER : 0, answer.placedAt};
    if (answer.completion)
    {
        WorkReporter::CompleteReceive(queuePair,
                                      {{*answer.completion, answer.isSolicited}},
                                      outcome.completions);
    }
    WorkReporter::ReportIfLow(queuePair.GetSetup().receiveQueue, outcome.completions);
    if (answer.error)
    {
        m_reporter.EnterError(queuePair, *answer.error, outcome.completions);
    }
}

PacketOutcome
NicTransport::OnResponse(QueuePair& queuePair,
                         const Frame& frame,
                         const FrameDetail* detail,
                         FrameMaker& frames,
                         Tick heldFor)
{
    NS_LOG_LOGIC("endpoint " << frame.dst << ", queue pair " << queuePair.GetNumber()
                             << " receives " << OpcodeTable::GetName(frame.opcode)
                             << " from endpoint " << frame.src << ", PSN " << frame.psn << ", "
                             << frame.payloadBytes << " B of payload"
                             << (syndrome::IsNak(frame.syndrome) ? ", NAK" : "")
                             << (frame.flags & frame_flag::CE ? ", CE" : "")
                             << (frame.flags & frame_flag::CE_ECHO ? ", CE echo" : "")
                             << (frame.flags & frame_flag::TRIMMED ? ", trimmed" : "")
                             << (frame.IsReport() ? ", report" : "")
                             << (frame.GetKind() == FrameKind::CREDIT ? ", credit" : "")
                             << (frame.GetKind() == FrameKind::PORTS ? ", usable ports" : ""));
    if (!m_traces)
    {
        return Handle(queuePair, frame, detail, frames, heldFor);
    }
    const QueuePairTraces::SendState before(*queuePair.GetRequester());
    m_traces->ReportArrival(queuePair.GetNumber(), frame);
    PacketOutcome outcome = Handle(queuePair, frame, detail, frames, heldFor);
    m_traces->ReportChange(queuePair.GetNumber(), before, *queuePair.GetRequester(), &frame);
    return outcome;
}

[[gnu::always_inline]] inline PacketOutcome
NicTransport::Handle(QueuePair& queuePair,
                     const Frame& frame,
                     const FrameDetail* detail,
                     FrameMaker& frames,
                     Tick heldFor)
{
    PacketOutcome outcome;
    outcome.wakeAt = 0;
    const AnswerWay way{detail ? detail->path : nullptr, frame.hostDelay + heldFor};
    if (frame.GetKind() == FrameKind::PORTS)
    {
        if (Requester* readSender = queuePair.GetReadSender())
        {
            readSender->OnAck(frame, Now(), way, detail);
        }
    }
    // Most answers are ACKs; they have a call of their own for speed.
    const Completions completions = frame.opcode == opcode::ACK
                                        ? queuePair.GetRequester()->OnAck(frame, Now(), way, detail)
                                        : OnAnswer(queuePair, frame, detail, frames, way, outcome);
    m_reporter.FinishRequests(queuePair, completions, outcome.completions);
    return outcome;
}

Completions
NicTransport::OnAnswer(QueuePair& queuePair,
                       const Frame& frame,
                       const FrameDetail* detail,
                       FrameMaker& frames,
                       AnswerWay way,
                       PacketOutcome& outcome)
{
    const Tick now = Now();
    Requester& requester = *queuePair.GetRequester();
    Requester* readSender = queuePair.GetReadSender();
    if (frame.opcode == opcode::ATOMIC_ACK)
    {
        return requester.OnResponse(frame, detail, now, outcome.placement);
    }
    if (opcode::GetKind(frame.opcode) == OpcodeKind::READ_RESPONSE)
    {
        outcome.cnp = MakeCnp(queuePair, frame, frames);
        if (m_factory.GetDefaults().traits.responder.acknowledgesReads)
        {
            return OnReadStream(queuePair, frame, detail, frames, outcome);
        }
        if (!HasRoom(queuePair))
        {
            outcome.drop = DropReason::KERNEL_BUSY;
            return {};
        }
        return requester.OnResponse(frame, detail, now, outcome.placement);
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
        readSender->OnAck(frame, now, way, detail);
    }
    return {};
}

bool
NicTransport::HasRoom(const QueuePair& queuePair)
{
    const auto& handlers = queuePair.GetSetup().init.handlers;
    const PayloadServices* services =
        handlers ? handlers->FindServices(queuePair.GetNumber()) : nullptr;
    return !services || services->HasRoom(queuePair.GetNumber());
}

Completions
NicTransport::OnReadStream(QueuePair& queuePair,
                           const Frame& frame,
                           const FrameDetail* detail,
                           FrameMaker& frames,
                           PacketOutcome& outcome)
{
    Responder& receiver = m_factory.GetReadReceiver(queuePair);
    if (!receiver.IsPast(Psn(frame.psn)) && !queuePair.GetRequester()->IsReadUnderWay(frame.ssn))
    {
        outcome.drop = DropReason::REFUSED; // Unsolicited.
        return {};
    }
    const Answer answer = receiver.OnData(frame, detail);
    if (answer.isDropped)
    {
        outcome.drop = answer.dropReason;
    }
    if (answer.hasAck)
    {
        outcome.answer = MakeAnswer(queuePair, answer.acknowledgment, frame, frames);
    }
    if (answer.isNew)
    {
        outcome.placement = queuePair.GetRequester()->PlaceReadData(frame, detail);
    }
    return queuePair.GetRequester()->OnReadsDone(receiver.GetMsn(), Now());
}

FrameIndex
NicTransport::MakeAnswer(const QueuePair& queuePair,
                         const Acknowledgment& answer,
                         const Frame& answered,
                         FrameMaker& frames)
{
    const FrameIndex index = frames.MakeAcknowledgment(queuePair, answer);
    m_core.pool[index].dst = answered.src;
    if (answered.flags & frame_flag::DETAILED)
    {
        m_core.pool.MoveIntStack(answered, index);
    }
    return index;
}

FrameIndex
NicTransport::MakeCnp(QueuePair& queuePair, const Frame& frame, FrameMaker& frames)
{
    return frame.flags & frame_flag::CE ? MakeDueCnp(queuePair, frame, frames) : NO_FRAME;
}

FrameIndex
NicTransport::MakeDueCnp(QueuePair& queuePair, const Frame& frame, FrameMaker& frames)
{
    if (m_factory.GetDefaults().feedback != Feedback::CNP)
    {
        return NO_FRAME;
    }
    if (!queuePair.TakeCnpTurn(Now(), m_cnpInterval))
    {
        return NO_FRAME;
    }
    ++m_cnpsSent;
    return frames.MakeCnp(queuePair, frame);
}

} // namespace ns3::rdma
