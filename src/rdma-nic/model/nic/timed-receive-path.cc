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
      m_gpu(hardware.GetGpuPath()),
      m_pauser(parts.core, parts.port, parts.frames.GetStyle().dataPriority, hardware),
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
    if (m_ingress.IsUsed() && !IsAdmitted(frame, now))
    {
        Drop(index, DropReason::INGRESS_FULL);
        return;
    }
    Take(index, now);
}

bool
TimedReceivePath::IsAdmitted(const Frame& frame, Tick now)
{
    if (opcode::GetService(frame.opcode) != Service::RC)
    {
        return true;
    }
    const uint32_t place = m_parts.table.GetPlace(frame.dstQp);
    return place == QueuePairTable::NO_PLACE ||
           m_ingress.Admit(now, place, frame.wireBytes + FCS_BYTES);
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
    const uint64_t backlog = m_hardware.GetWriteBacklog(now);
    if (const auto reason = m_buffer.Admit(frame.wireBytes, frame.payloadBytes, backlog))
    {
        Drop(index, *reason);
        return;
    }
    m_pauser.OnTaken(now, backlog);
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
        const Frame& frame = m_core.pool[index];
        if (kind == ON_GPU)
        {
            m_gpu.Leave(frame.payloadBytes);
        }
        else
        {
            m_buffer.Release(frame.payloadBytes);
        }
        Write(frame, m_core.engine->Now(), kind == ON_GPU ? m_gpu.GetLatency() : 0);
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
    Tick visibleAt = outcome.isPlaced && isForHost ? Place(queuePair,
                                                           frame,
                                                           placedFrom,
                                                           outcome.answer.placedAt,
                                                           outcome.answer.placedBytes)
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
    const bool isForGpu =
        m_gpu.IsUsed() && opcode::GetKind(frame.opcode) == OpcodeKind::READ_RESPONSE;
    const uint64_t place =
        isForGpu ? queuePair.requester->FindReadPlace(frame, m_transport.AcknowledgesReads()) : 0;
    const ResponseOutcome outcome =
        m_transport.OnResponse(queuePair, frame, m_core.pool.FindDetail(frame), heldFor);
    const Tick placedFrom = outcome.isPlaced ? queuePair.requester->GetPlacedFrom() : TICK_NEVER;
    const Tick visibleAt =
        placedFrom != TICK_NEVER ? Place(queuePair, frame, placedFrom, place) : 0;
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
        m_parts.reporter.Deliver(isForGpu || placedFrom > 0 ? visibleAt : 0);
    }
}

bool
TimedReceivePath::HasAddress(const Frame& frame) const
{
    const FrameDetail* const detail = m_core.pool.FindDetail(frame);
    return detail && !detail->isPlain && opcode::GetKind(frame.opcode) == OpcodeKind::WRITE;
}

Tick
TimedReceivePath::TakeRequest(QueuePair& queuePair, Tick now)
{
    ReceiveWqeCache& cache = m_hardware.GetReceiveWqeCache();
    const Ptr<ReceiveQueue>& shared = queuePair.GetSetup().init.sharedReceiveQueue;
    return shared ? cache.TakeShared(now, *shared)
                  : cache.Take(now, m_parts.table.GetPlace(queuePair.number));
}

Tick
TimedReceivePath::GetRequestTime(QueuePair& queuePair, const Frame& frame, Tick now)
{
    const OpcodeInfo& info = opcode::Get(frame.opcode);
    const bool isSend = info.kind == OpcodeKind::SEND;
    const bool takesRequest =
        (isSend && info.isFirst) || (info.kind == OpcodeKind::WRITE && info.hasImmediate);
    Tick& requestAt = queuePair.GetExtras().receiveWqeAt;
    if (takesRequest)
    {
        requestAt = TakeRequest(queuePair, now);
    }
    return takesRequest || isSend ? std::max(now, requestAt) : now;
}

Tick
TimedReceivePath::Place(QueuePair& queuePair,
                        const Frame& frame,
                        Tick earliest,
                        uint64_t otherAddress,
                        uint32_t bytes)
{
    const Tick now = m_core.engine->Now();
    Tick knownAt = GetRequestTime(queuePair, frame, now);
    if (frame.payloadBytes == 0)
    {
        return knownAt;
    }
    const bool hasAddress = HasAddress(frame);
    if (m_gpu.IsUsed())
    {
        const uint64_t address = hasAddress ? frame.remoteAddress : otherAddress;
        if (m_gpu.Holds(address))
        {
            return PlaceOnGpu(frame, now, std::max(knownAt, earliest), address, bytes);
        }
    }
    if (hasAddress)
    {
        const Tick translatedAt =
            m_hardware.GetTranslationCache().Access(now, frame.remoteAddress, frame.payloadBytes);
        knownAt = std::max(knownAt, translatedAt);
    }
    knownAt = std::max(knownAt, earliest);
    if (knownAt <= now && bytes == 0)
    {
        Write(frame, now, 0);
        return now;
    }
    m_buffer.Hold(bytes > 0 ? bytes : frame.payloadBytes);
    return WriteAt(frame, knownAt, PLACED, bytes);
}

Tick
TimedReceivePath::PlaceOnGpu(const Frame& frame,
                             Tick now,
                             Tick earliest,
                             uint64_t address,
                             uint32_t bytes)
{
    const uint32_t placed = bytes > 0 ? bytes : frame.payloadBytes;
    return WriteAt(frame, m_gpu.Write(now, earliest, address, placed), ON_GPU, bytes);
}

Tick
TimedReceivePath::WriteAt(const Frame& frame, Tick at, Event kind, uint32_t bytes)
{
    const FrameIndex copy = m_core.pool.Allocate();
    const FrameIndex next = m_core.pool[copy].next;
    m_core.pool[copy] = frame;
    m_core.pool[copy].next = next;
    m_core.pool[copy].flags &= static_cast<uint8_t>(~frame_flag::DETAILED);
    m_core.pool[copy].payloadBytes = static_cast<uint16_t>(bytes > 0 ? bytes : frame.payloadBytes);
    m_core.engine->Schedule(at, FabricEngine::MakeOwner(m_target, kind), copy);
    return at;
}

void
TimedReceivePath::Write(const Frame& frame, Tick now, Tick latency)
{
    const uint64_t address = HasAddress(frame) ? frame.remoteAddress : 0;
    const Tick placedAt =
        m_hardware.GetPcie().Write(now, now, DmaKind::PAYLOAD, address, frame.payloadBytes);
    if (!m_placedTrace.IsEmpty())
    {
        m_placedTrace(frame, ToTime(placedAt + latency));
    }
}

} // namespace ns3::rdma
