// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/responder.h"

#include "ns3/policy-error.h"
#include "ns3/request-executor.h"

#include <algorithm>
#include <string>
#include <utility>

namespace ns3::rdma
{

namespace
{
/// @return whether WRITEs are only counted: with a receive queue, one may end with immediate data.
bool
IsCountingOnly(const RequestContext& requests)
{
    return !requests.domain && !requests.handlers && !requests.receiveQueue;
}

std::unique_ptr<RequestHandler>
MakeHandler(RequestContext context, uint32_t qpNumber)
{
    context.qpNumber = qpNumber; // Many queue pairs have the rest in common.
    if (context.handlers)
    {
        return context.handlers->Make(context);
    }
    return std::make_unique<RequestExecutor>(context);
}
} // namespace

Responder::Work::Work(const ResponderConfig& config, uint32_t qpNumber)
    : handler(MakeHandler(config.requests, qpNumber)),
      responses(config.mtuBytes),
      atomics(config.maxReadsAndAtomics)
{
}

Responder::Responder(const Config& config, uint32_t initialPsn, uint32_t qpNumber)
    : m_expected(initialPsn),
      m_cumulative(config->ackInterval),
      m_qpNumber(qpNumber),
      m_ackOperation(config->ackOperation),
      m_hasCeToEcho(false),
      m_isPlain(IsCountingOnly(config->requests)),
      m_echoesCe(config->echoesCe || SendsReports(config->receiverControl)),
      m_hasControl(config->receiverControl != nullptr),
      m_sendsReports(SendsReports(config->receiverControl)),
      m_config(config)
{
    if (m_hasControl)
    {
        const ReceiverControl& prototype = *config->receiverControl;
        GetKept().control = CallPolicy(prototype, "Fork()", [&] { return prototype.Fork(); });
        if (!m_kept->control)
        {
            FailPolicy(prototype, "Fork()", "a new object", "null");
        }
    }
}

Responder::Responder(const ResponderConfig& config)
    : Responder(Config(config), config.initialPsn, config.requests.qpNumber)
{
}

Responder::Work&
Responder::GetWork()
{
    if (!m_work)
    {
        m_work = std::make_unique<Work>(*m_config, m_qpNumber);
    }
    return *m_work;
}

void
Responder::SetConfig(const Config& config)
{
    m_config = config;
    if (m_work)
    {
        m_work->handler->SetAccess(config->requests.access);
        m_work->atomics.SetCapacity(config->maxReadsAndAtomics);
    }
}

Answer
Responder::OnData(const Frame& frame, const FrameDetail* detail)
{
    Answer answer;
    if (m_error)
    {
        answer.isDropped = true;
        answer.dropReason = DropReason::REFUSED;
        return answer;
    }
    const bool isMarked = (frame.flags & frame_flag::CE) != 0;
    // A report echoes the mark of its packet, an acknowledgment those of all packets since the
    // last one.
    m_hasCeToEcho = (m_hasCeToEcho && !m_sendsReports) || (isMarked && m_echoesCe);
    constexpr uint16_t SPECIAL{frame_flag::TRIMMED | frame_flag::KIND};
    const int32_t ahead = Psn(frame.psn) - m_expected;
    if (ahead == 0 && (frame.flags & SPECIAL) == 0)
    {
        OnExpected(frame, detail, answer);
    }
    else
    {
        OnOther(frame, detail, ahead, answer);
    }
    return answer;
}

bool
Responder::IsPlain(const Frame& frame) const
{
    // READ responses, and WRITEs without immediate data.
    const OpcodeInfo& info = opcode::Get(frame.opcode);
    return m_isPlain &&
           (info.kind == OpcodeKind::WRITE || info.kind == OpcodeKind::READ_RESPONSE) &&
           !info.hasImmediate;
}

[[gnu::always_inline]] inline bool
Responder::Accept(const Frame& frame, const FrameDetail* detail, bool isPlain, Answer& answer)
{
    if (isPlain)
    {
        m_placedBytes += frame.payloadBytes;
        m_expected = m_expected + 1;
        m_msn = (m_msn + opcode::IsLast(frame.opcode)) & Psn::MASK;
        answer.placement.from = 0;
    }
    else if (!CarryOut(frame, detail, answer, answer.placement))
    {
        return false;
    }
    answer.isNew = true;
    if (m_kept)
    {
        AdvanceOverKept(answer);
    }
    return true;
}

[[gnu::always_inline]] inline ArrivedPacket
Responder::Describe(ArrivedPacket::Kind kind,
                    bool hasResponse,
                    const Frame& frame,
                    const Answer& answer) const
{
    ArrivedPacket packet;
    packet.kind = kind;
    packet.psn = Psn(frame.psn);
    packet.wireBytes = frame.wireBytes;
    packet.isMarked = (frame.flags & frame_flag::CE) != 0;
    packet.asksForAck = (frame.flags & frame_flag::ACK_REQUEST) != 0;
    packet.isRetransmission = (frame.flags & frame_flag::RETRANSMISSION) != 0;
    packet.endsMessage = opcode::IsLast(frame.opcode);
    packet.hasResponse = hasResponse;
    packet.hasRefusal = answer.isDropped && (answer.dropReason == DropReason::REFUSED ||
                                             answer.dropReason == DropReason::RECEIVER_NOT_READY);
    packet.expected = m_expected;
    packet.held = m_kept ? m_kept->all.GetCount() : 0;
    return packet;
}

[[gnu::always_inline]] inline void
Responder::Decide(ArrivedPacket::Kind kind, bool hasResponse, const Frame& frame, Answer& answer)
{
    if (m_hasControl)
    {
        AskControl(Describe(kind, hasResponse, frame, answer), frame, answer);
        return;
    }
    const ArrivedPacket packet = Describe(kind, hasResponse, frame, answer);
    AnswerInline(m_cumulative.OnPacket(packet).kind, frame, answer);
}

void
Responder::OnExpected(const Frame& frame, const FrameDetail* detail, Answer& answer)
{
    const bool isPlain = IsPlain(frame);
    const bool isAccepted = Accept(frame, detail, isPlain, answer);
    const bool hasResponse =
        !isPlain && (opcode::GetKind(frame.opcode) == OpcodeKind::ATOMIC ||
                     (frame.opcode == opcode::READ_REQUEST && !m_config->rules.acknowledgesReads));
    using Kind = ArrivedPacket::Kind;
    Decide(isAccepted ? Kind::ORDERED : Kind::REFUSED, hasResponse, frame, answer);
}

void
Responder::OnOther(const Frame& frame, const FrameDetail* detail, int32_t ahead, Answer& answer)
{
    using Kind = ArrivedPacket::Kind;
    const Psn psn(frame.psn);
    bool isAnsweredAgain = false;
    Kind kind = Kind::HELD;
    if (frame.GetKind() == FrameKind::PROBE)
    {
        kind = Kind::PROBE;
    }
    else if (ahead < 0)
    {
        kind = Kind::DUPLICATE;
        isAnsweredAgain = AnswerAgain(frame, detail, psn, answer);
    }
    else if (ahead > 0 && m_kept && m_kept->all.IsMarked(psn))
    {
        kind = Kind::DUPLICATE;
    }
    else if (frame.flags & frame_flag::TRIMMED)
    {
        kind = Kind::TRIMMED;
        answer.isDropped = true;
        answer.dropReason = DropReason::TRIMMED;
    }
    else if (static_cast<uint32_t>(ahead) >= m_config->rules.outOfOrderWindow)
    {
        kind = Kind::BEYOND;
        answer.isDropped = true;
    }
    else if (!Keep(frame, detail, psn, answer))
    {
        kind = Kind::BEYOND;
        answer.isDropped = true;
    }
    Decide(kind, isAnsweredAgain, frame, answer);
}

bool
Responder::CarryOut(const Frame& frame,
                    const FrameDetail* detail,
                    Answer& answer,
                    Placement& placement)
{
    // With no resources for them, READs and atomics are invalid (IBTA Vol. 1, Section 9.7.4.1.8).
    const bool needsResources =
        frame.opcode == opcode::READ_REQUEST || opcode::GetKind(frame.opcode) == OpcodeKind::ATOMIC;
    Execution execution;
    if (needsResources && m_config->maxReadsAndAtomics == 0)
    {
        execution.nak = syndrome::NAK_INVALID_REQUEST;
        execution.error = AsyncEventType::QP_REQ_ERR;
    }
    else
    {
        execution = GetWork().handler->Execute(frame, detail);
    }
    if (execution.isDropped)
    {
        answer.isDropped = true;
        answer.dropReason = DropReason::KERNEL_BUSY;
        return false; // A NAK for a later packet, or the timer, causes its retransmission.
    }
    answer.hasResponses = true; // Receive requests may have been consumed.
    if (execution.completion)
    {
        GetWork().completions.push_back({*execution.completion, execution.isSolicited});
    }
    if (execution.nak != 0)
    {
        Refuse(execution, frame, answer);
        return false;
    }
    const Psn psn(frame.psn);
    if (frame.opcode == opcode::READ_REQUEST)
    {
        return AcceptRead(frame, answer);
    }
    if (opcode::GetKind(frame.opcode) != OpcodeKind::KERNEL)
    {
        placement = {execution.placedFrom, execution.placedAt, execution.placedBytes};
    }
    m_expected = m_expected + 1;
    m_placedBytes += frame.payloadBytes;
    m_msn = (m_msn + execution.endsMessage) & Psn::MASK;
    if (opcode::GetKind(frame.opcode) == OpcodeKind::ATOMIC)
    {
        GetWork().atomics.Add(psn, execution.originalValue);
        AnswerAtomic(psn, execution.originalValue, frame, answer);
    }
    return true;
}

void
Responder::Refuse(const Execution& execution, const Frame& frame, Answer& answer)
{
    const bool isRnr = execution.nak == syndrome::RNR_NAK;
    answer.isDropped = true;
    answer.dropReason = isRnr ? DropReason::RECEIVER_NOT_READY : DropReason::REFUSED;
    m_error = execution.error;
    const auto code = static_cast<uint8_t>(execution.nak | (isRnr ? m_config->minRnrTimer : 0));
    Acknowledge({m_ackOperation, code, m_expected}, frame, answer);
}

bool
Responder::AcceptRead(const Frame& frame, Answer& answer)
{
    const uint32_t waiting = GetWork().responses.GetReadCount();
    if (!m_config->rules.acknowledgesReads && waiting >= m_config->maxReadsAndAtomics)
    {
        Execution refused;
        refused.nak = syndrome::NAK_INVALID_REQUEST;
        refused.error = AsyncEventType::QP_REQ_ERR;
        Refuse(refused, frame, answer);
        return false;
    }
    m_msn = (m_msn + 1) & Psn::MASK;
    answer.hasResponses = true;
    if (m_config->rules.acknowledgesReads)
    {
        m_expected = m_expected + 1;
        GetWork().reads.push_back({frame.remoteAddress, frame.messageBytes});
        return true;
    }
    GetWork().responses.PushRead(m_expected, m_msn, frame.remoteAddress, frame.messageBytes);
    m_expected = m_expected + GetWork().responses.CountPackets(frame.messageBytes);
    m_cumulative.OnAnswered();
    return true;
}

void
Responder::AnswerAtomic(Psn psn, uint64_t originalValue, const Frame& frame, Answer& answer)
{
    Acknowledge({opcode::ATOMIC_ACK, syndrome::ACK, psn, false, originalValue}, frame, answer);
}

void
Responder::AdvanceOverKept(Answer& answer)
{
    Psn first = m_expected;
    while (m_kept->all.IsMarked(m_expected))
    {
        const auto held = m_work ? m_work->held.find(m_expected.Get()) : HeldPackets::iterator();
        if (!m_work || held == m_work->held.end())
        {
            m_msn = (m_msn + m_kept->last.IsMarked(m_expected)) & Psn::MASK;
            m_expected = m_expected + 1;
            continue;
        }
        const Kept kept = std::move(held->second);
        m_work->held.erase(held);
        const Psn psn = m_expected;
        const bool isDetailed = (kept.frame.flags & frame_flag::DETAILED) != 0;
        Placement before; // Its payload was placed on arrival.
        if (!CarryOut(kept.frame, isDetailed ? &kept.detail : nullptr, answer, before))
        {
            // Refused when its PSN was due: it must be sent again.
            ForgetKept(first, psn + 1);
            return;
        }
    }
    ForgetKept(first, m_expected);
}

void
Responder::ForgetKept(Psn first, Psn end)
{
    m_kept->all.Unmark(first, end);
    m_kept->last.Unmark(first, end);
    m_kept->count.Set(m_kept->all.GetCount());
    if (m_kept->all.IsEmpty() && !m_hasControl)
    {
        m_kept = nullptr;
    }
}

Responder::OutOfOrder&
Responder::GetKept()
{
    if (!m_kept)
    {
        m_kept = std::make_unique<OutOfOrder>(m_config->admission);
    }
    return *m_kept;
}

bool
Responder::Keep(const Frame& frame, const FrameDetail* detail, Psn psn, Answer& answer)
{
    EarlyPacket packet;
    packet.qpNumber = m_qpNumber;
    packet.psn = psn;
    packet.ahead = static_cast<uint32_t>(psn - m_expected);
    packet.payloadBytes = frame.payloadBytes;
    packet.isRetransmission = (frame.flags & frame_flag::RETRANSMISSION) != 0;
    if (!GetKept().count.Admits(packet))
    {
        return false;
    }
    m_kept->all.Mark(m_expected, psn);
    m_kept->count.Set(m_kept->all.GetCount());
    answer.isNew = true;
    const bool isForKernel = opcode::GetKind(frame.opcode) == OpcodeKind::KERNEL;
    answer.placement.from = isForKernel ? TICK_NEVER : 0;
    if (IsPlain(frame))
    {
        m_placedBytes += frame.payloadBytes;
        if (opcode::IsLast(frame.opcode))
        {
            m_kept->last.Mark(m_expected, psn);
        }
        return true;
    }
    Kept& kept = GetWork().held[psn.Get()];
    kept = {frame, detail ? *detail : FrameDetail{}, nullptr};
    kept.cargo = detail && detail->cargo ? detail->cargo->Clone() : nullptr;
    kept.detail.cargo = kept.cargo.get();
    kept.detail.path = nullptr; // Its acknowledgment carries the INT stack.
    return true;
}

bool
Responder::AnswerAgain(const Frame& frame, const FrameDetail* detail, Psn psn, Answer& answer)
{
    if (frame.opcode == opcode::READ_REQUEST && !m_config->rules.acknowledgesReads)
    {
        if (GetWork().handler->CheckRead(frame, detail).nak == 0)
        {
            GetWork().responses.TakeBack(psn);
            GetWork().responses.PushRead(psn, m_msn, frame.remoteAddress, frame.messageBytes, true);
            answer.hasResponses = true;
        }
        return true;
    }
    if (opcode::GetKind(frame.opcode) == OpcodeKind::ATOMIC)
    {
        if (const auto originalValue = GetWork().atomics.Find(psn))
        {
            GetWork().responses.TakeBack(psn);
            AnswerAtomic(psn, *originalValue, frame, answer);
        }
        return true; // Without a kept result: no answer, since it must not be executed again.
    }
    return false;
}

[[gnu::always_inline]] inline void
Responder::AnswerInline(ReceiverAnswer::Kind kind, const Frame& frame, Answer& answer)
{
    using Kind = ReceiverAnswer::Kind;
    if (kind == Kind::ACK)
    {
        // The PSN before it: 2^24 - 1 is -1.
        AcknowledgeInline({m_ackOperation, syndrome::ACK, m_expected + Psn::MASK}, frame, answer);
    }
    else if (kind != Kind::NONE)
    {
        const bool isSelective = kind == Kind::SELECTIVE_NAK;
        Acknowledge({m_ackOperation, syndrome::NAK_PSN_SEQUENCE, m_expected, isSelective},
                    frame,
                    answer);
    }
}

void
Responder::Acknowledge(const Reply& reply, const Frame& frame, Answer& answer)
{
    AcknowledgeInline(reply, frame, answer);
}

[[gnu::always_inline]] inline void
Responder::AcknowledgeInline(const Reply& reply, const Frame& frame, Answer& answer)
{
    const bool mustWait = answer.hasAck || HasResponses();
    Acknowledgment waiting;
    Acknowledgment& acknowledgment = mustWait ? waiting : answer.acknowledgment;
    acknowledgment.operation = reply.operation;
    acknowledgment.syndrome = reply.syndrome;
    acknowledgment.isSelective = reply.isSelective;
    acknowledgment.isCeEchoed = m_hasCeToEcho;
    acknowledgment.psn = reply.psn;
    acknowledgment.selective = Psn(frame.psn);
    acknowledgment.msn = m_msn;
    acknowledgment.echoedOffset = frame.psnOffset;
    acknowledgment.originalValue = reply.originalValue;
    acknowledgment.sendTime = frame.sendTime;
    acknowledgment.entropy = frame.entropy;
    acknowledgment.flags = reply.flags;
    if (reply.flags != 0)
    {
        acknowledgment.report = reply.received;
    }
    m_cumulative.OnAnswered();
    m_hasCeToEcho = false;
    if (mustWait)
    {
        GetWork().responses.PushAcknowledgment(acknowledgment);
        answer.hasResponses = true;
        return;
    }
    answer.hasAck = true;
}

void
Responder::AskControl(const ArrivedPacket& packet, const Frame& frame, Answer& answer)
{
    using Kind = ReceiverAnswer::Kind;
    ReceiverControl& control = *m_kept->control;
    const ReceiverAnswer decision =
        CallPolicy(control, "OnPacket()", [&] { return control.OnPacket(packet); });
    const bool isReport = decision.kind == Kind::REPORT || decision.kind == Kind::TRIM_NOTICE;
    if (decision.kind > Kind::TRIM_NOTICE ||
        (decision.kind != Kind::NONE && isReport != m_sendsReports))
    {
        FailPolicy(control,
                   "OnPacket()",
                   m_sendsReports
                       ? "NONE, REPORT or TRIM_NOTICE, since SendsReports() is true"
                       : "NONE, ACK, NAK or SELECTIVE_NAK, since SendsReports() is false",
                   "kind " + std::to_string(static_cast<int>(decision.kind)));
    }
    if (isReport)
    {
        AddReport(decision, frame, answer);
    }
    else
    {
        AnswerInline(decision.kind, frame, answer);
    }
}

void
Responder::AddReport(const ReceiverAnswer& decision, const Frame& frame, Answer& answer)
{
    const bool isNack = decision.kind == ReceiverAnswer::Kind::TRIM_NOTICE;
    Reply reply{};
    reply.operation = m_ackOperation;
    reply.syndrome = isNack ? syndrome::NAK_PSN_SEQUENCE : syndrome::ACK;
    reply.psn = isNack ? m_expected : m_expected + Psn::MASK;
    const bool isProbe = frame.GetKind() == FrameKind::PROBE;
    reply.flags = ChangeKind(0, isProbe ? FrameKind::PROBE_REPORT : FrameKind::REPORT);
    if (frame.flags & frame_flag::RETRANSMISSION)
    {
        reply.flags |= frame_flag::ANSWERS_RESENT;
    }
    if (isNack)
    {
        reply.flags |= frame.flags & (frame_flag::TRIMMED | frame_flag::LAST_HOP);
    }
    const PsnBitmap& held = m_kept->all;
    reply.received = decision.report;
    reply.received.bitmap.bits = held.GetBits(reply.received.bitmap.base);
    reply.received.held = std::min<uint32_t>(held.GetCount(), UINT16_MAX);
    Acknowledge(reply, frame, answer);
}

std::vector<ReceiveCompletion>
Responder::TakeCompletions()
{
    return m_work ? std::exchange(m_work->completions, {}) : std::vector<ReceiveCompletion>();
}

std::vector<AcceptedRead>
Responder::TakeReads()
{
    return m_work ? std::exchange(m_work->reads, {}) : std::vector<AcceptedRead>();
}

std::vector<WorkCompletion>
Responder::Flush()
{
    if (!m_error)
    {
        m_error = AsyncEventType::QP_FATAL;
    }
    return GetWork().handler->Flush();
}

} // namespace ns3::rdma
