// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/nic-transmitter.h"

#include "ns3/log.h"

#include <algorithm>

namespace ns3::rdma
{

NS_LOG_COMPONENT_DEFINE("NicTransmitter");

namespace
{
/// @return what the payload of a queue pair passes; null: nothing.
PayloadServices*
FindServices(const QueuePair& queuePair)
{
    const auto& handlers = queuePair.GetSetup().init.handlers;
    return handlers ? handlers->FindServices(queuePair.number) : nullptr;
}

/// @return whether the data of a request pass services.
bool
IsServed(WrOpcode opcode)
{
    return opcode == WrOpcode::RDMA_WRITE || opcode == WrOpcode::RDMA_WRITE_WITH_IMM;
}

/// Lists of several pieces count as one that begins where the first does.
PayloadSource
GetSource(const QueuePair& queuePair, const Requester::Outgoing& packet)
{
    const Message& message = *packet.plan.message;
    PayloadSource source;
    source.bytes = packet.plan.payloadBytes;
    source.isResend = packet.isRetransmission;
    if (!message.detail)
    {
        return source;
    }
    const SendWorkRequest& request = message.detail->request;
    source.isInline = request.isInline;
    source.origin = request.origin;
    if (message.family == opcode::READ_RESPONSE_FIRST)
    {
        source.address = request.remoteAddress + packet.plan.offset;
    }
    else if (!request.sgList.empty() && request.sgList.front().address != 0)
    {
        source.address = request.sgList.front().address + packet.plan.offset;
    }
    if (message.family != opcode::READ_RESPONSE_FIRST && IsServed(request.opcode))
    {
        source.services = FindServices(queuePair);
    }
    return source;
}
} // namespace

NicTransmitter::NicTransmitter(NicParts& parts, PacketPath& path, Ptr<SendScheduler> scheduler)
    : m_parts(parts),
      m_scheduler(scheduler),
      m_path(path),
      m_target(parts.core.engine->Register(this)),
      m_hasGone(false)
{
}

NicTransmitter::~NicTransmitter()
{
    m_parts.core.engine->Unregister(m_target);
}

void
NicTransmitter::Activate(QueuePair& queuePair)
{
    if (queuePair.isScheduled ? Advance(queuePair) : Schedule(queuePair))
    {
        const Tick now = m_parts.core.engine->Now();
        const Tick nextReady = GetNextReady(now);
        if (nextReady <= now)
        {
            m_path.OnReady(now);
        }
        else
        {
            WakeAt(nextReady);
        }
    }
    ArmTimer(queuePair);
}

void
NicTransmitter::MarkLikely()
{
    const auto number =
        CallPolicy(*m_scheduler, "GetLikely()", [&] { return m_scheduler->GetLikely(); });
    if (number)
    {
        const DestinationHints& hints = m_parts.core.destinations;
        const uint32_t endpoint = m_parts.frames.GetStyle().endpoint;
        m_parts.core.pool[m_parts.port.GetBookmark()].egress = hints.GetTarget(endpoint, *number);
        m_likely = static_cast<const QueuePair*>(hints.Get(endpoint, *number));
        if (!m_likely)
        {
            CheckLikely(*number);
        }
    }
}

void
NicTransmitter::CheckLikely(uint32_t number) const
{
    if (!m_hasGone && !m_parts.table.Find(number))
    {
        FailPolicy(*m_scheduler,
                   "GetLikely()",
                   "a queue pair that waits",
                   "number " + std::to_string(number));
    }
}

void
NicTransmitter::CheckGone(uint32_t number) const
{
    if (!m_hasGone)
    {
        FailPick("a queue pair that waits", number);
    }
}

void
NicTransmitter::FailPick(const char* expected, uint32_t number) const
{
    FailPolicy(*m_scheduler, "Pick()", expected, "number " + std::to_string(number));
}

void
NicTransmitter::FailNextReady(const char* expected, Tick nextReady, Tick now) const
{
    FailPolicy(*m_scheduler,
               "GetNextReady()",
               expected,
               DescribeTick(nextReady) + " at " + DescribeTick(now) + " with " +
                   std::to_string(m_waiting) + " waiting");
}

QueuePair*
NicTransmitter::Pick(Tick now)
{
    uint32_t delayable = m_waiting; // Each of them may have to wait longer, once.
    while (const auto number =
               CallPolicy(*m_scheduler, "Pick()", [&] { return m_scheduler->Pick(now); }))
    {
        if (m_waiting == 0)
        {
            FailPick("none while no queue pair waits", *number);
        }
        --m_waiting;
        QueuePair* queuePair = m_parts.Find(*number);
        if (!queuePair || !queuePair->isScheduled)
        {
            CheckGone(*number);
            continue; // Destroyed while it waited for its turn, its number perhaps in use again.
        }
        queuePair->isScheduled = false;
        if (!queuePair->requester)
        {
            continue; // Reset meanwhile.
        }
        queuePair->requester->FetchPolicies();
        if (GetReadyTime(*queuePair) <= now)
        {
            return queuePair;
        }
        // Its window closed, or its rate fell, while it waited.
        if (Schedule(*queuePair) && delayable-- == 0)
        {
            FailPick("a queue pair that is ready", *number);
        }
    }
    return nullptr;
}

FrameIndex
NicTransmitter::Take(QueuePair& queuePair, Tick now, PayloadSource& source)
{
    Requester* sender =
        queuePair.HasOnlyRequests() ? queuePair.requester.get() : ChooseSource(queuePair, now);
    const FrameIndex index =
        sender ? TakeData(queuePair, *sender, now, source) : TakeResponse(queuePair, now, source);
    ArmTimer(queuePair);
    return index;
}

Requester*
NicTransmitter::ChooseSource(QueuePair& queuePair, Tick now)
{
    // Requests and responses take turns while both are ready.
    Requester& requester = *queuePair.requester;
    Requester* readSender = queuePair.GetReadSender();
    const bool isRequestReady = requester.GetNextSendTime() <= now;
    const bool isStreamReady = readSender && readSender->GetNextSendTime() <= now;
    const bool isResponseReady =
        isStreamReady ||
        (queuePair.hasResponses && (!queuePair.responder->GetResponses().IsReadNext() ||
                                    requester.GetPacer().GetNextSendTime() <= now));
    bool& wasResponse = queuePair.GetExtras().wasResponse;
    wasResponse = isResponseReady && (!isRequestReady || !wasResponse);
    if (!wasResponse)
    {
        return &requester;
    }
    return isStreamReady ? readSender : nullptr;
}

FrameIndex
NicTransmitter::TakeData(QueuePair& queuePair,
                         Requester& requester,
                         Tick now,
                         PayloadSource& source)
{
    const Requester::Outgoing packet = requester.TakeNext();
    const FrameIndex index = m_parts.frames.MakeData(queuePair, packet, now);
    ++m_dataFrames;
    const Frame& frame = m_parts.core.pool[index];
    if (m_parts.traces)
    {
        SendObserved(queuePair, requester, packet, frame, now);
    }
    else
    {
        requester.OnSent(packet, GetWireBytes(frame), now);
    }
    source = GetSource(queuePair, packet);
    return index;
}

void
NicTransmitter::SendObserved(const QueuePair& queuePair,
                             Requester& requester,
                             const Requester::Outgoing& packet,
                             const Frame& frame,
                             Tick now)
{
    if (packet.isRetransmission)
    {
        m_parts.traces->retransmit(queuePair.number, frame);
    }
    const QueuePairTraces::SendState before(requester);
    requester.OnSent(packet, GetWireBytes(frame), now);
    m_parts.traces->ReportChange(queuePair.number, before, requester);
}

Tick
NicTransmitter::Serve(const QueuePair& queuePair,
                      FrameIndex index,
                      const PayloadSource& source,
                      Tick at)
{
    if (source.bytes == 0)
    {
        return at;
    }
    FramePool& pool = m_parts.core.pool;
    const Tick servedAt = source.services->OnSend({queuePair.number,
                                                   pool,
                                                   index,
                                                   Psn(queuePair.requester->GetUnacked()),
                                                   source.isResend,
                                                   at});
    Frame& frame = pool[index];
    frame.wireBytes = m_parts.frames.GetStyle().sizes.GetFrame(frame.opcode, frame.payloadBytes);
    return servedAt;
}

void
NicTransmitter::ScheduleLeft(uint32_t queuePair, Tick when)
{
    m_parts.core.engine->Schedule(when, FabricEngine::MakeOwner(m_target, MESSAGE_LEFT), queuePair);
}

FrameIndex
NicTransmitter::TakeResponse(QueuePair& queuePair, Tick now, PayloadSource& source)
{
    ResponseQueue& responses = queuePair.responder->GetResponses();
    FrameIndex index;
    if (responses.IsReadNext())
    {
        const ReadResponsePlan plan = responses.TakeReadPacket();
        index = m_parts.frames.MakeReadResponse(queuePair, plan, now);
        ++m_dataFrames;
        source.address = plan.address;
        source.bytes = plan.payloadBytes;
        source.services = queuePair.setup ? FindServices(queuePair) : nullptr;
        queuePair.requester->OnResponseSent(GetWireBytes(m_parts.core.pool[index]), now);
    }
    else
    {
        index = m_parts.frames.MakeAcknowledgment(queuePair, responses.TakeAcknowledgment());
    }
    queuePair.hasResponses = !responses.IsEmpty();
    return index;
}

Tick
NicTransmitter::GetResponseTime(const QueuePair& queuePair)
{
    Tick readyAt = TICK_NEVER;
    if (queuePair.hasResponses)
    {
        const bool isData = queuePair.responder->GetResponses().IsReadNext();
        readyAt = isData ? queuePair.requester->GetPacer().GetNextSendTime() : Tick{0};
    }
    if (const Requester* readSender = queuePair.GetReadSender())
    {
        readyAt = std::min(readyAt, readSender->GetNextSendTime());
    }
    return readyAt;
}

uint32_t
NicTransmitter::GetWireBytes(const Frame& frame) const
{
    return m_parts.core.CountOnWire(frame.wireBytes);
}

bool
NicTransmitter::Schedule(QueuePair& queuePair)
{
    const Tick readyAt = queuePair.isScheduled ? TICK_NEVER : GetReadyTime(queuePair);
    if (readyAt == TICK_NEVER)
    {
        queuePair.requester->WaitForRead(FabricEngine::MakeOwner(m_target, READ_ROOM),
                                         queuePair.number);
        return false;
    }
    queuePair.isScheduled = true;
    ++m_waiting;
    CallPolicy(*m_scheduler, "Add()", [&] {
        m_scheduler->Add(queuePair.number, readyAt, m_parts.core.engine->Now());
    });
    return true;
}

bool
NicTransmitter::Advance(QueuePair& queuePair)
{
    // Responses of READs become ready on their own.
    const bool isSooner = queuePair.requester->TakeSooner();
    if (!isSooner && queuePair.HasOnlyRequests())
    {
        return false;
    }
    CallPolicy(*m_scheduler, "Advance()", [&] {
        m_scheduler->Advance(queuePair.number, GetReadyTime(queuePair));
    });
    return true;
}

Tick
NicTransmitter::GetDeadline(const QueuePair& queuePair)
{
    const Tick deadline = queuePair.requester->GetDeadline();
    const Requester* readSender = queuePair.GetReadSender();
    return readSender ? std::min(deadline, readSender->GetDeadline()) : deadline;
}

void
NicTransmitter::ArmTimer(QueuePair& queuePair)
{
    // A deadline that moves back needs no event of its own: the one under way looks again.
    const Tick deadline = GetDeadline(queuePair);
    if (deadline < queuePair.timerAt)
    {
        // It may be over already: a doorbell has taken its time since the requester was made.
        queuePair.timerAt = std::max(deadline, m_parts.core.engine->Now());
        m_parts.core.engine->Schedule(queuePair.timerAt,
                                      FabricEngine::MakeOwner(m_target, QP_TIMER),
                                      queuePair.number);
    }
}

void
NicTransmitter::WakeAt(Tick when)
{
    if (when < m_wakeAt)
    {
        m_wakeAt = when;
        m_parts.core.engine->Schedule(when, FabricEngine::MakeOwner(m_target, PACING), 0);
    }
}

void
NicTransmitter::HandleEvent(uint32_t kind, uint32_t argument)
{
    if (kind == QP_TIMER)
    {
        OnTimer(argument);
        return;
    }
    if (kind == MESSAGE_LEFT)
    {
        OnMessageLeft(argument);
        return;
    }
    if (kind == READ_ROOM)
    {
        OnReadRoom(argument);
        return;
    }
    if (m_wakeAt == m_parts.core.engine->Now())
    {
        m_wakeAt = TICK_NEVER;
        m_path.OnReady(m_parts.core.engine->Now());
    }
}

void
NicTransmitter::OnMessageLeft(uint32_t number)
{
    QueuePair* queuePair = m_parts.table.Find(number);
    if (queuePair && queuePair->requester)
    {
        Completions completions = queuePair->requester->OnLeft();
        m_parts.reporter.FinishRequests(*queuePair, completions);
        m_parts.reporter.Deliver();
    }
}

void
NicTransmitter::OnReadRoom(uint32_t number)
{
    QueuePair* queuePair = m_parts.table.Find(number);
    if (queuePair && queuePair->requester)
    {
        Activate(*queuePair);
    }
}

void
NicTransmitter::OnDeadline(QueuePair& queuePair, Tick now)
{
    using State = QueuePairTraces::SendState;
    Requester& requester = *queuePair.requester;
    const uint64_t timeouts = requester.GetStats().timeouts;
    const auto before = m_parts.traces ? std::optional<State>(requester) : std::nullopt;
    Completions completions = requester.OnDeadline(now);
    if (requester.GetStats().timeouts != timeouts)
    {
        NS_LOG_INFO("endpoint " << m_parts.frames.GetStyle().endpoint << ", queue pair "
                                << queuePair.number << ": the retransmission timer has expired");
    }
    if (before)
    {
        m_parts.traces->ReportChange(queuePair.number, *before, requester);
    }
    m_parts.reporter.FinishRequests(queuePair, completions);
}

void
NicTransmitter::OnTimer(uint32_t number)
{
    QueuePair* queuePair = m_parts.table.Find(number);
    const Tick now = m_parts.core.engine->Now();
    if (!queuePair || queuePair->timerAt != now || !queuePair->requester)
    {
        return; // Destroyed, or an earlier look was scheduled since.
    }
    queuePair->timerAt = TICK_NEVER;
    if (queuePair->requester->GetDeadline() <= now)
    {
        const uint32_t retries = queuePair->requester->GetRetries();
        OnDeadline(*queuePair, now);
        const bool hasExpired = queuePair->requester->GetRetries() > retries;
        if (m_parts.paths && hasExpired && !queuePair->requester->IsBroken() &&
            m_parts.paths->MoveAfterExpiry(*queuePair))
        {
            m_parts.reporter.Deliver();
            return;
        }
    }
    Requester* readSender = queuePair->GetReadSender();
    if (readSender && readSender->GetDeadline() <= now)
    {
        readSender->OnDeadline(now);
        if (readSender->IsBroken())
        {
            m_parts.reporter.EnterError(*queuePair, AsyncEventType::QP_FATAL);
        }
    }
    Activate(*queuePair);
    m_parts.reporter.Deliver();
}

} // namespace ns3::rdma
