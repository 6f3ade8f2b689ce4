// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/timed-receive-path.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{
constexpr uint32_t FCS_BYTES{4}; ///< Not in Frame::wireBytes.
} // namespace

TimedReceivePath::TimedReceivePath(NicParts& parts,
                                   NicTransport& transport,
                                   NicTransmitter& transmitter,
                                   NicHardware& hardware,
                                   SlowPath& slowPath,
                                   ControlPath& controlPath)
    : m_parts(parts),
      m_core(parts.core),
      m_transport(transport),
      m_transmitter(transmitter),
      m_hardware(hardware),
      m_slowPath(slowPath),
      m_controlPath(controlPath),
      m_ingress(hardware.GetIngressMeter()),
      m_buffer(hardware.GetReceiveBuffer()),
      m_target(m_core.engine->Register(this))
{
}

TimedReceivePath::~TimedReceivePath()
{
    m_core.engine->Unregister(m_target);
}

void
TimedReceivePath::Arrive(FrameIndex index)
{
    const Tick now = m_core.engine->Now();
    Frame& frame = m_core.pool[index];
    frame.arrivedAt = static_cast<uint32_t>(now);
    if (m_ingress.IsUsed())
    {
        if (!m_ingress.Admit(now, frame.wireBytes + FCS_BYTES))
        {
            Drop(index, DropReason::INGRESS_FULL);
            return;
        }
        if (m_ingress.IsCongested(now))
        {
            frame.flags |= frame_flag::CE; // As a switch would have marked it.
        }
    }
    Take(index, now);
}

void
TimedReceivePath::Drop(FrameIndex index, DropReason reason)
{
    m_parts.port.CountDrop(m_core.pool[index], reason);
    m_core.pool.Free(index);
}

void
TimedReceivePath::Take(FrameIndex index, Tick now)
{
    const Frame& frame = m_core.pool[index];
    const uint64_t backlog = m_hardware.GetPcie().GetWriteBacklog(now) + m_servedBytes;
    if (const auto reason = m_buffer.Admit(frame.wireBytes, frame.payloadBytes, backlog))
    {
        Drop(index, *reason);
        return;
    }
    // A late frame for a queue pair that is gone has no context to fetch.
    const uint32_t place = m_parts.table.GetPlace(frame.dstQp);
    const Tick contextAt =
        place == QueuePairTable::NO_PLACE ? now : m_hardware.GetContextCache().Access(now, place);
    const Tick handledAt = m_hardware.GetReceivePipeline().Enter(now, contextAt, frame.wireBytes);
    if (m_parts.traces)
    {
        m_parts.traces->receiveStages(frame, contextAt, handledAt);
    }
    m_core.engine->Schedule(handledAt, FabricEngine::MakeOwner(m_target, HANDLED), index);
}

void
TimedReceivePath::HandleEvent(uint32_t kind, uint32_t index)
{
    if (kind != HANDLED)
    {
        m_servedBytes -= kind == SERVED ? m_core.pool[index].payloadBytes : 0;
        Write(m_core.pool[index], m_core.engine->Now());
        m_core.pool.Free(index);
        return;
    }
    m_buffer.Release(m_core.pool[index].wireBytes);
    Handle(index);
}

void
TimedReceivePath::Handle(FrameIndex index)
{
    const Frame& frame = m_core.pool[index];
    QueuePair* queuePair = m_transport.FindReceiver(frame);
    if (!queuePair)
    {
        m_core.pool.Free(index);
    }
    else if (opcode::IsRequest(frame.opcode))
    {
        HandleRequest(*queuePair, index);
    }
    else if (m_slowPath.IsFor(frame))
    {
        m_slowPath.Divert(index);
    }
    else
    {
        HandleResponse(*queuePair, index);
    }
}

void
TimedReceivePath::HandleRequest(QueuePair& queuePair, FrameIndex index)
{
    const Frame& frame = m_core.pool[index];
    RequestOutcome outcome = m_transport.OnRequest(queuePair, frame, m_core.pool.FindDetail(frame));
    if (outcome.cnp != NO_FRAME)
    {
        m_controlPath.Send(outcome.cnp);
    }
    const Tick placedFrom = outcome.answer.placedFrom;
    const bool isForHost =
        opcode::GetKind(frame.opcode) != OpcodeKind::KERNEL && placedFrom != TICK_NEVER;
    Tick visibleAt = outcome.isPlaced && isForHost
                         ? Place(queuePair, frame, placedFrom, outcome.answer.placedBytes)
                         : 0;
    // A packet that fills a gap is accepted, even if one kept behind it is refused and says
    // dropped.
    if (outcome.isReliable && (outcome.answer.isNew || !outcome.answer.isDropped))
    {
        visibleAt =
            std::max(visibleAt, m_slowPath.OnRequest(queuePair.number, frame, outcome.expected));
        m_slowPath.Restrict(queuePair.number, outcome.answer.acknowledgment);
    }
    if (outcome.answer.hasAck)
    {
        m_controlPath.SendAnswer(
            m_transport.MakeAcknowledgment(queuePair, outcome.answer.acknowledgment, frame),
            GetTimeHere(frame));
    }
    if (outcome.mayActivate)
    {
        m_transmitter.Activate(queuePair);
    }
    m_core.pool.Free(index);
    if (outcome.hasReports)
    {
        m_parts.reporter.Deliver(visibleAt);
    }
}

void
TimedReceivePath::HandleResponse(QueuePair& queuePair, FrameIndex index)
{
    const Frame& frame = m_core.pool[index];
    const Tick heldFor = GetTimeHere(frame);
    const ResponseOutcome outcome =
        m_transport.OnResponse(queuePair, frame, m_core.pool.FindDetail(frame), heldFor);
    Tick visibleAt = 0;
    const Tick placedFrom = outcome.isPlaced ? queuePair.requester->GetPlacedFrom() : TICK_NEVER;
    if (placedFrom != TICK_NEVER)
    {
        const Tick placedAt = Place(queuePair, frame, placedFrom);
        visibleAt = placedFrom > 0 ? placedAt : 0;
    }
    if (outcome.cnp != NO_FRAME)
    {
        m_controlPath.Send(outcome.cnp);
    }
    if (outcome.answer != NO_FRAME)
    {
        m_controlPath.SendAnswer(outcome.answer, heldFor);
    }
    m_transmitter.Activate(queuePair);
    m_core.pool.Free(index);
    if (outcome.hasReports)
    {
        m_parts.reporter.Deliver(visibleAt);
    }
}

bool
TimedReceivePath::HasAddress(const Frame& frame) const
{
    const FrameDetail* const detail = m_core.pool.FindDetail(frame);
    return detail && !detail->isPlain && opcode::GetKind(frame.opcode) == OpcodeKind::WRITE;
}

Tick
TimedReceivePath::GetRequestTime(QueuePair& queuePair, const Frame& frame, Tick now)
{
    // Queues are named by their queue pairs; all shared ones by a number that none has.
    constexpr uint32_t SHARED{1};
    const OpcodeInfo& info = opcode::Get(frame.opcode);
    const bool takesRequest = (info.kind == OpcodeKind::SEND && info.isFirst) ||
                              (info.kind == OpcodeKind::WRITE && info.hasImmediate);
    Tick& requestAt = queuePair.GetExtras().receiveWqeAt;
    if (takesRequest)
    {
        const uint32_t queue = queuePair.GetSetup().init.sharedReceiveQueue
                                   ? SHARED
                                   : m_parts.table.GetPlace(queuePair.number);
        requestAt = m_hardware.GetReceiveWqeCache().Take(now, queue);
    }
    return std::max(now, requestAt);
}

Tick
TimedReceivePath::Place(QueuePair& queuePair, const Frame& frame, Tick earliest, uint32_t bytes)
{
    const Tick now = m_core.engine->Now();
    const Tick requestAt = GetRequestTime(queuePair, frame, now);
    Tick knownAt = opcode::GetKind(frame.opcode) == OpcodeKind::SEND ? requestAt : now;
    if (frame.payloadBytes == 0)
    {
        return requestAt;
    }
    if (HasAddress(frame))
    {
        const Tick translatedAt =
            m_hardware.GetTranslationCache().Access(now, frame.remoteAddress, frame.payloadBytes);
        knownAt = std::max(knownAt, translatedAt);
    }
    knownAt = std::max(knownAt, earliest);
    if (knownAt <= now && bytes == 0)
    {
        Write(frame, now);
        return requestAt;
    }
    const FrameIndex copy = m_core.pool.Allocate();
    const FrameIndex next = m_core.pool[copy].next;
    m_core.pool[copy] = frame;
    m_core.pool[copy].next = next;
    m_core.pool[copy].flags &= static_cast<uint8_t>(~frame_flag::DETAILED);
    const bool isServed = earliest > 0;
    if (isServed)
    {
        m_core.pool[copy].payloadBytes =
            static_cast<uint16_t>(bytes > 0 ? bytes : frame.payloadBytes);
        m_servedBytes += m_core.pool[copy].payloadBytes;
    }
    const Event kind = isServed ? SERVED : PLACED;
    m_core.engine->Schedule(std::max(knownAt, now), FabricEngine::MakeOwner(m_target, kind), copy);
    return knownAt;
}

void
TimedReceivePath::Write(const Frame& frame, Tick now)
{
    const uint64_t address = HasAddress(frame) ? frame.remoteAddress : 0;
    const Tick placedAt =
        m_hardware.GetPcie().Write(now, now, DmaKind::PAYLOAD, address, frame.payloadBytes);
    if (!m_placedTrace.IsEmpty())
    {
        m_placedTrace(frame, ToTime(placedAt));
    }
}

} // namespace ns3::rdma
