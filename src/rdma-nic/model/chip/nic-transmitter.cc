// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/nic-transmitter.h"

#include "ns3/log.h"
#include "ns3/opcode-table.h"

#include <algorithm>

namespace ns3::rdma
{

NS_LOG_COMPONENT_DEFINE("NicTransmitter");

namespace
{
/// @return the services that the payload of a queue pair passes; null: none.
PayloadServices*
FindServices(const QueuePair& queuePair)
{
    const auto& handlers = queuePair.GetSetup().init.handlers;
    return handlers ? handlers->FindServices(queuePair.GetNumber()) : nullptr;
}

/// @return whether the payload of a request passes services.
bool
IsServed(WrOpcode opcode)
{
    return opcode == WrOpcode::RDMA_WRITE || opcode == WrOpcode::RDMA_WRITE_WITH_IMM;
}

/// A list of several pieces counts as one piece at the address of the first.
[[gnu::always_inline]] inline PayloadSource
GetSource(const QueuePair& queuePair, const OutgoingPacket& packet)
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

NicTransmitter::NicTransmitter(FabricCore& core,
                               NicCore& nic,
                               FabricPort& port,
                               uint32_t number,
                               FrameMaker& frames,
                               PacketPath& path,
                               Ptr<SendScheduler> scheduler,
                               uint32_t classNumber)
    : m_core(core),
      m_nic(nic),
      m_port(port),
      m_frames(frames),
      m_path(path),
      m_scheduler(scheduler),
      m_target(core.engine->Register(this)),
      m_number(static_cast<uint8_t>(number)),
      m_lane(QueuePair::MakeLane(number, classNumber)),
      m_classes(static_cast<uint8_t>(1U << frames.GetStyle().GetPriority(classNumber)))
{
}

NicTransmitter::~NicTransmitter()
{
    m_core.engine->Unregister(m_target);
}

void
NicTransmitter::Activate(QueuePair& queuePair)
{
    if (queuePair.HasAllPorts())
    {
        m_nic.ports.GetTurns().Activate(queuePair);
    }
    else if (queuePair.IsScheduled() ? Advance(queuePair) : Schedule(queuePair))
    {
        NotifyPath();
    }
    ArmTimer(queuePair);
}

void
NicTransmitter::ActivateHere(QueuePair& queuePair, bool isSooner)
{
    if (!IsScheduled(queuePair))
    {
        if (Schedule(queuePair))
        {
            NotifyPath();
        }
    }
    else if (isSooner || !queuePair.HasOnlyRequests())
    {
        m_scheduler.Advance(queuePair.GetNumber(), GetReadyTime(queuePair));
        NotifyPath();
    }
}

[[gnu::always_inline]] inline void
NicTransmitter::NotifyPath()
{
    const Tick now = m_core.engine->Now();
    const Tick nextReady = m_scheduler.GetNextReady(now);
    if (nextReady <= now)
    {
        m_path.OnReady(now, m_classes);
    }
    else
    {
        WakeAt(nextReady);
    }
}

QueuePair*
NicTransmitter::Pick(Tick now)
{
    return PickReady(now);
}

FrameIndex
NicTransmitter::Take(QueuePair& queuePair, Tick now, PayloadSource& source)
{
    return TakePacket(queuePair, now, source);
}

PayloadSource
NicTransmitter::Peek(const QueuePair& queuePair, uint64_t number, uint32_t& count) const
{
    const OutgoingPacket packet{queuePair.GetRequester()->GetWindow().GetQueue().Plan(number),
                                Psn(number),
                                false};
    count = packet.plan.count;
    return GetSource(queuePair, packet);
}

bool
NicTransmitter::Return(QueuePair& queuePair)
{
    return Schedule(queuePair);
}

FrameIndex
NicTransmitter::TakeTurn(Tick now)
{
    QueuePair* const queuePair = PickReady(now);
    if (!queuePair)
    {
        return NO_FRAME;
    }
    PayloadSource source;
    const FrameIndex index = TakePacket(*queuePair, now, source);
    if (source.services)
    {
        Serve(*queuePair, index, source, now);
    }
    Schedule(*queuePair);
    return index;
}

[[gnu::always_inline]] inline QueuePair*
NicTransmitter::FindPicked(uint32_t number)
{
    QueuePair* queuePair = Find(number);
    if (!queuePair || !Has(*queuePair) || !IsScheduled(*queuePair))
    {
        m_scheduler.CheckGone(number);
        return nullptr; // Destroyed while it was scheduled; its number may be in use again.
    }
    SetScheduled(*queuePair, false);
    return queuePair->GetRequester() ? queuePair : nullptr; // It may have been reset.
}

[[gnu::always_inline]] inline QueuePair*
NicTransmitter::PickReady(Tick now)
{
    uint32_t delayable = m_scheduler.CountWaiting(); // Each queue pair may be delayed once more.
    while (const auto number = m_scheduler.Pick(now))
    {
        QueuePair* const queuePair = FindPicked(*number);
        if (!queuePair)
        {
            continue;
        }
        queuePair->GetRequester()->FetchPolicies();
        if (GetReadyTime(*queuePair) <= now)
        {
            if (HasRoute(*queuePair, now))
            {
                return queuePair;
            }
            continue; // Its packets leave by other ports, where it is scheduled, too.
        }
        // Its window was closed or its rate reduced while it was scheduled.
        if (Return(*queuePair) && delayable-- == 0)
        {
            m_scheduler.FailPick("a queue pair that is ready", *number);
        }
    }
    return nullptr;
}

[[gnu::always_inline]] inline FrameIndex
NicTransmitter::TakeData(QueuePair& queuePair,
                         Requester& requester,
                         Tick now,
                         PayloadSource& source)
{
    const OutgoingPacket packet = requester.TakeNext(now, m_number);
    const FrameIndex index = m_frames.MakeData(queuePair, packet, now);
    ++m_dataFrames;
    Frame& frame = m_core.pool[index];
    if (queuePair.HasAllPorts())
    {
        Address(frame);
    }
    NS_LOG_LOGIC("endpoint " << frame.src << ", port " << +m_number << ", queue pair "
                             << queuePair.GetNumber() << " sends "
                             << OpcodeTable::GetName(frame.opcode) << " to endpoint " << frame.dst
                             << ", PSN " << frame.psn << ", " << frame.payloadBytes
                             << " B of payload, entropy " << frame.entropy
                             << (packet.isRetransmission ? ", retransmission" : ""));
    if (m_traces)
    {
        SendObserved(queuePair, requester, packet, frame, now);
    }
    else
    {
        requester.OnSent(packet, frame.wireBytes, GetWireBytes(frame), now);
    }
    source = GetSource(queuePair, packet);
    return index;
}

[[gnu::always_inline]] inline FrameIndex
NicTransmitter::TakePacket(QueuePair& queuePair, Tick now, PayloadSource& source)
{
    Requester* sender = queuePair.GetRequester();
    if (!queuePair.HasOnlyRequests())
    {
        const Choice choice = ChooseSource(queuePair, now);
        queuePair.SetWasResponse(choice.isResponse);
        sender = choice.sender;
    }
    const FrameIndex index =
        sender ? TakeData(queuePair, *sender, now, source) : TakeResponse(queuePair, now, source);
    ArmTimer(queuePair);
    return index;
}

bool
NicTransmitter::CanTake(const QueuePair& queuePair, Requester& requester, Tick now)
{
    return requester.GetNextSendTime() <= now &&
           (!queuePair.HasAllPorts() ||
            requester.FindRoutes()->HasRoute(m_number,
                                             m_nic.ports.GetTurns().GetPlanes(queuePair),
                                             requester.GetInFlightBytes(),
                                             now));
}

NicTransmitter::Choice
NicTransmitter::ChooseSource(QueuePair& queuePair, Tick now)
{
    // Requests and responses alternate while both are ready.
    Requester& requester = *queuePair.GetRequester();
    Requester* readSender = queuePair.GetReadSender();
    const bool isRequestReady = CanTake(queuePair, requester, now);
    const bool isStreamReady = readSender && CanTake(queuePair, *readSender, now);
    const bool isResponseReady =
        isStreamReady || (queuePair.HasResponses() && queuePair.GetPort() == m_number &&
                          (!queuePair.GetResponder()->GetResponses().IsReadNext() ||
                           requester.GetPacer().GetNextSendTime() <= now));
    const bool isResponse = isResponseReady && (!isRequestReady || !queuePair.WasResponse());
    Requester* const sender = isResponse ? (isStreamReady ? readSender : nullptr) : &requester;
    return {sender, isResponse, isRequestReady || isResponseReady};
}

void
NicTransmitter::SendObserved(const QueuePair& queuePair,
                             Requester& requester,
                             const OutgoingPacket& packet,
                             const Frame& frame,
                             Tick now)
{
    if (packet.isRetransmission)
    {
        m_traces->retransmit(queuePair.GetNumber(), frame);
    }
    const QueuePairTraces::SendState before(requester);
    requester.OnSent(packet, frame.wireBytes, GetWireBytes(frame), now);
    m_traces->ReportChange(queuePair.GetNumber(), before, requester);
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
    FramePool& pool = m_core.pool;
    const Tick servedAt =
        source.services->OnSend({queuePair.GetNumber(),
                                 pool,
                                 index,
                                 Psn(queuePair.GetRequester()->GetWindow().GetUnacked()),
                                 source.isResend,
                                 at});
    Frame& frame = pool[index];
    frame.wireBytes = m_frames.GetStyle().sizes.GetFrame(frame.opcode, frame.payloadBytes);
    return servedAt;
}

void
NicTransmitter::ScheduleLeft(uint32_t queuePair, Tick when)
{
    m_core.engine->Schedule(when, FabricEngine::MakeOwner(m_target, MESSAGE_LEFT), queuePair);
}

FrameIndex
NicTransmitter::TakeResponse(QueuePair& queuePair, Tick now, PayloadSource& source)
{
    ResponseQueue& responses = queuePair.GetResponder()->GetResponses();
    FrameIndex index;
    if (responses.IsReadNext())
    {
        const ReadResponsePlan plan = responses.TakeReadPacket();
        index = m_frames.MakeReadResponse(queuePair, plan, now);
        NS_LOG_LOGIC("endpoint " << m_frames.GetStyle().endpoint << ", port " << +m_number
                                 << ", queue pair " << queuePair.GetNumber() << " sends "
                                 << OpcodeTable::GetName(plan.operation) << " to endpoint "
                                 << queuePair.GetConnection().remoteEndpoint << ", PSN "
                                 << plan.psn.Get() << ", " << plan.payloadBytes << " B of payload");
        ++m_dataFrames;
        source.address = plan.address;
        source.bytes = plan.payloadBytes;
        source.services = queuePair.HasSetup() ? FindServices(queuePair) : nullptr;
        queuePair.GetRequester()->OnResponseSent(GetWireBytes(m_core.pool[index]), now);
    }
    else
    {
        index = m_frames.MakeAcknowledgment(queuePair, responses.TakeAcknowledgment());
    }
    queuePair.UpdateResponses();
    return index;
}

Tick
NicTransmitter::GetResponseTime(const QueuePair& queuePair) const
{
    Tick readyAt = TICK_NEVER;
    if (queuePair.HasResponses() && queuePair.GetPort() == m_number)
    {
        const bool isData = queuePair.GetResponder()->GetResponses().IsReadNext();
        readyAt = isData ? queuePair.GetRequester()->GetPacer().GetNextSendTime() : Tick{0};
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
    return m_core.CountOnWire(frame.wireBytes);
}

[[gnu::always_inline]] inline bool
NicTransmitter::Schedule(QueuePair& queuePair)
{
    const Tick readyAt = IsScheduled(queuePair) ? TICK_NEVER : GetReadyTime(queuePair);
    if (readyAt == TICK_NEVER)
    {
        queuePair.GetRequester()->WaitForRead(FabricEngine::MakeOwner(m_target, READ_ROOM),
                                              queuePair.GetNumber());
        return false;
    }
    const Tick now = m_core.engine->Now();
    if (queuePair.HasAllPorts() && readyAt > now)
    {
        // No port has it until then: the value of its next packet decides which is first.
        if (m_nic.ports.GetTurns().ExpectReady(queuePair, readyAt))
        {
            m_core.engine->Schedule(readyAt,
                                    FabricEngine::MakeOwner(m_target, PACED_SPREAD),
                                    queuePair.GetNumber());
        }
        return false;
    }
    SetScheduled(queuePair, true);
    m_scheduler.Add(queuePair.GetNumber(), readyAt, now);
    return true;
}

bool
NicTransmitter::Advance(QueuePair& queuePair)
{
    // Responses of READs become ready independently.
    const bool isSooner = queuePair.GetRequester()->ConsumeEarlierSendTime();
    if (!isSooner && queuePair.HasOnlyRequests())
    {
        return false;
    }
    m_scheduler.Advance(queuePair.GetNumber(), GetReadyTime(queuePair));
    return true;
}

inline Tick
NicTransmitter::GetDeadline(const QueuePair& queuePair)
{
    const Tick deadline = queuePair.GetRequester()->GetDeadline();
    const Requester* readSender = queuePair.GetReadSender();
    return readSender ? std::min(deadline, readSender->GetDeadline()) : deadline;
}

[[gnu::always_inline]] inline void
NicTransmitter::ArmTimer(QueuePair& queuePair)
{
    // A later deadline needs no new event: the pending event reads the deadline when it runs.
    const Tick deadline = GetDeadline(queuePair);
    if (queuePair.ExpiresAfter(deadline))
    {
        // The deadline may be past: a doorbell has taken time since the requester was made.
        const Tick expiry = std::max(deadline, m_core.engine->Now());
        queuePair.SetTimer(expiry);
        m_core.engine->Schedule(expiry,
                                FabricEngine::MakeOwner(m_target, QP_TIMER),
                                queuePair.GetNumber());
    }
}

void
NicTransmitter::WakeAt(Tick when)
{
    if (when < m_wakeAt)
    {
        m_wakeAt = when;
        m_core.engine->Schedule(when, FabricEngine::MakeOwner(m_target, PACING), 0);
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
    if (kind == PACED_SPREAD)
    {
        OnPacedSpread(argument);
        return;
    }
    if (m_wakeAt == m_core.engine->Now())
    {
        m_wakeAt = TICK_NEVER;
        m_path.OnReady(m_core.engine->Now(), m_classes);
    }
}

void
NicTransmitter::OnMessageLeft(uint32_t number)
{
    QueuePair* queuePair = m_nic.table.Find(number);
    if (queuePair && queuePair->GetRequester())
    {
        Notices notices;
        m_nic.reporter.FinishRequests(*queuePair, queuePair->GetRequester()->OnLeft(), notices);
        m_nic.reporter.Deliver(notices);
    }
}

void
NicTransmitter::OnReadRoom(uint32_t number)
{
    QueuePair* queuePair = m_nic.table.Find(number);
    if (queuePair && queuePair->GetRequester())
    {
        m_nic.ports.FindPath(*queuePair).Activate(*queuePair);
    }
}

void
NicTransmitter::SendProbe(const QueuePair& queuePair, const ReportProbe& probe, Tick now)
{
    const uint32_t port = probe.hasEntropy && queuePair.HasAllPorts()
                              ? queuePair.GetRequester()->FindRoutes()->FindPlane(probe.entropy)
                              : queuePair.GetPort();
    m_nic.ports.GetPath(port).SendProbe(queuePair, probe, now);
}

void
NicTransmitter::OnDeadline(QueuePair& queuePair, Tick now, Notices& notices)
{
    using State = QueuePairTraces::SendState;
    Requester& requester = *queuePair.GetRequester();
    NS_LOG_LOGIC("endpoint " << m_frames.GetStyle().endpoint << ", queue pair "
                             << queuePair.GetNumber()
                             << ": a deadline of the requester is reached; PSN "
                             << Psn(requester.GetWindow().GetUnacked()).Get()
                             << " is the first one not acknowledged");
    const uint64_t timeouts = requester.GetStats().timeouts;
    const auto before = m_traces ? std::optional<State>(requester) : std::nullopt;
    const Completions completions = requester.OnDeadline(now);
    for (const ReportProbe& probe : requester.TakeProbes())
    {
        SendProbe(queuePair, probe, now);
    }
    if (requester.GetStats().timeouts != timeouts)
    {
        NS_LOG_INFO("endpoint " << m_frames.GetStyle().endpoint << ", queue pair "
                                << queuePair.GetNumber()
                                << ": the retransmission timer has expired");
    }
    if (before)
    {
        m_traces->ReportChange(queuePair.GetNumber(), *before, requester);
    }
    m_nic.reporter.FinishRequests(queuePair, completions, notices);
}

void
NicTransmitter::OnPacedSpread(uint32_t number)
{
    QueuePair* queuePair = m_nic.table.Find(number);
    if (queuePair && queuePair->HasAllPorts() &&
        m_nic.ports.GetTurns().TakeReady(*queuePair, m_core.engine->Now()) &&
        queuePair->GetRequester())
    {
        m_nic.ports.FindPath(*queuePair).Activate(*queuePair);
    }
}

void
NicTransmitter::OnTimer(uint32_t number)
{
    QueuePair* queuePair = m_nic.table.Find(number);
    const Tick now = m_core.engine->Now();
    if (!queuePair || !queuePair->GetRequester() || !Has(*queuePair) || !queuePair->TakeTimer(now))
    {
        return; // Destroyed or at another port, or an earlier event has replaced this one.
    }
    Notices notices;
    if (queuePair->GetRequester()->GetDeadline() <= now)
    {
        const uint32_t retries = queuePair->GetRequester()->GetRetries();
        OnDeadline(*queuePair, now, notices);
        const bool hasExpired = queuePair->GetRequester()->GetRetries() > retries;
        if (hasExpired && !queuePair->GetRequester()->IsBroken() &&
            m_nic.ports.MoveAfterExpiry(*queuePair))
        {
            m_nic.reporter.Deliver(notices);
            return;
        }
    }
    Requester* readSender = queuePair->GetReadSender();
    if (readSender && readSender->GetDeadline() <= now)
    {
        NS_LOG_LOGIC("endpoint " << m_frames.GetStyle().endpoint << ", queue pair " << number
                                 << ": a deadline of the READ responses is reached; PSN "
                                 << Psn(readSender->GetWindow().GetUnacked()).Get()
                                 << " is the first one not acknowledged");
        readSender->OnDeadline(now);
        if (readSender->IsBroken())
        {
            m_nic.reporter.EnterError(*queuePair, AsyncEventType::QP_FATAL, notices);
        }
    }
    Activate(*queuePair);
    m_nic.reporter.Deliver(notices);
}

} // namespace ns3::rdma
