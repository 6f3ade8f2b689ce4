// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/timed-receive-path.h"

#include "ns3/log.h"

#include <algorithm>

namespace ns3::rdma
{

NS_LOG_COMPONENT_DEFINE("TimedReceivePath");

namespace
{
constexpr uint32_t FCS_BYTES{4}; ///< Not in Frame::wireBytes.
} // namespace

TimedReceivePath::TimedReceivePath(FabricCore& core,
                                   FabricPort& port,
                                   const QueuePairTable& table,
                                   NicTransport& transport,
                                   NicTransmitter& transmitter,
                                   NicPorts& ports,
                                   WorkReporter& reporter,
                                   FrameMaker& frames,
                                   NicHardware& hardware,
                                   SlowPath& slowPath,
                                   ControlPath& controlPath,
                                   const uint8_t& dataPriorities)
    : m_core(core),
      m_port(port),
      m_table(table),
      m_transport(transport),
      m_transmitter(transmitter),
      m_ports(ports),
      m_reporter(reporter),
      m_frames(frames),
      m_hardware(hardware),
      m_slowPath(slowPath),
      m_controlPath(controlPath),
      m_pcie(hardware.GetPcie()),
      m_contexts(hardware.GetContextCache()),
      m_pipeline(hardware.GetReceivePipeline()),
      m_answerLead(hardware.GetAnswerLead()),
      m_reads(transport.FindReadPool()),
      m_ingress(hardware.GetIngressMeter().IsUsed() ? &hardware.GetIngressMeter() : nullptr),
      m_buffer(hardware.GetReceiveBuffer()),
      m_gpu(hardware.GetGpuPath().GetMemory() ? &hardware.GetGpuPath() : nullptr),
      m_pauser(core, port, dataPriorities, hardware),
      m_stall(core, table, hardware, [this](FrameIndex index) { HandleHeld(index); }),
      m_target(m_core.engine->Register(this))
{
}

TimedReceivePath::~TimedReceivePath()
{
    m_core.engine->Unregister(m_target);
}

[[gnu::always_inline]] inline bool
TimedReceivePath::IsAdmitted(const Frame& frame, Tick now)
{
    return !m_ingress || m_ingress->Admit(now, frame.src, frame.wireBytes + FCS_BYTES);
}

void
TimedReceivePath::Drop(FrameIndex index, DropReason reason)
{
    m_port.CountDrop(m_core.pool[index], reason);
    m_core.pool.Free(index);
}

bool
TimedReceivePath::AdmitIfFits(FrameIndex index, Tick now)
{
    const Frame& frame = m_core.pool[index];
    const uint64_t backlog = m_pcie.GetWriteBacklog(now) + (m_gpu ? m_gpu->GetWaitingBytes() : 0);
    if (const auto reason = m_buffer.Admit(frame.wireBytes, frame.payloadBytes, backlog))
    {
        Drop(index, *reason);
        return false;
    }
    if (m_buffer.Pauses())
    {
        m_pauser.OnTaken(now, backlog);
    }
    return true;
}

[[gnu::always_inline]] inline bool
TimedReceivePath::Admit(FrameIndex index, Tick now)
{
    // The exact backlog takes a division.
    const uint64_t most = m_pcie.GetMostBacklog() + (m_gpu ? m_gpu->GetWaitingBytes() : 0);
    return m_buffer.AdmitIfAmple(m_core.pool[index].wireBytes, most) || AdmitIfFits(index, now);
}

void
TimedReceivePath::Arrive(FrameIndex index)
{
    const Tick now = m_core.engine->Now();
    const Frame& frame = m_core.pool[index];
    m_core.pool.GetArrivalTime(index) = static_cast<uint32_t>(now);
    if (!IsAdmitted(frame, now))
    {
        Drop(index, DropReason::INGRESS_FULL);
        return;
    }
    if (!Admit(index, now))
    {
        return;
    }
    Tick contextAt = now;
    if (!m_contexts.HoldsAll())
    {
        // A late frame for a destroyed queue pair needs no context.
        const uint32_t place = m_table.GetPlace(frame.dstQp);
        contextAt = place == QueuePairTable::NO_PLACE ? now : m_contexts.Access(now, place);
    }
    const Tick handledAt = m_pipeline.Enter(now, contextAt, frame.wireBytes);
    NS_LOG_LOGIC("endpoint " << frame.dst << ", queue pair " << frame.dstQp << ", PSN " << frame.psn
                             << " from endpoint " << frame.src << ": the context is on the chip in "
                             << contextAt - now << " ps, the frame leaves the receive pipeline in "
                             << handledAt - now << " ps");
    if (QueuePairTraces* traces = m_transmitter.GetTraces())
    {
        traces->receiveStages(frame, contextAt, handledAt);
    }
    m_core.engine->Schedule(handledAt, FabricEngine::MakeOwner(m_target, HANDLED), index);
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
                  : cache.Take(now, m_table.GetPlace(queuePair.GetNumber()));
}

Tick
TimedReceivePath::GetRequestTime(QueuePair& queuePair, const Frame& frame, Tick now)
{
    const OpcodeInfo& info = opcode::Get(frame.opcode);
    const bool isSend = info.kind == OpcodeKind::SEND;
    const bool takesRequest =
        (isSend && info.isFirst) || (info.kind == OpcodeKind::WRITE && info.hasImmediate);
    if (!takesRequest && !isSend)
    {
        return now;
    }
    const uint32_t place = m_table.GetPlace(queuePair.GetNumber());
    if (place >= m_requestAt.size())
    {
        m_requestAt.resize(place + 1);
    }
    if (takesRequest)
    {
        m_requestAt[place] = TakeRequest(queuePair, now);
    }
    return std::max(now, m_requestAt[place]);
}

void
TimedReceivePath::Forget(const QueuePair& queuePair)
{
    const uint32_t place = m_table.GetPlace(queuePair.GetNumber());
    if (place < m_requestAt.size())
    {
        m_requestAt[place] = 0;
    }
}

Tick
TimedReceivePath::WriteAt(const Frame& frame, Tick at, Event kind, uint32_t bytes)
{
    const FrameIndex copy = m_core.pool.Allocate();
    const FrameIndex next = m_core.pool[copy].next;
    m_core.pool[copy] = frame;
    m_core.pool[copy].next = next;
    m_core.pool[copy].flags = ChangeFlags(frame.flags, frame_flag::DETAILED, false);
    m_core.pool[copy].payloadBytes = static_cast<uint16_t>(bytes);
    m_core.engine->Schedule(at, FabricEngine::MakeOwner(m_target, kind), copy);
    return at;
}

void
TimedReceivePath::Write(const Frame& frame, Tick now, Tick latency)
{
    const uint64_t address = HasAddress(frame) ? frame.remoteAddress : 0;
    const Tick placedAt = m_pcie.Write(now, now, DmaKind::PAYLOAD, address, frame.payloadBytes);
    NS_LOG_LOGIC("endpoint " << frame.dst << ", queue pair " << frame.dstQp << ", PSN " << frame.psn
                             << " from endpoint " << frame.src << ": " << frame.payloadBytes
                             << " B of payload are in memory in " << placedAt + latency - now
                             << " ps");
    if (!m_placedTrace.IsEmpty())
    {
        m_placedTrace(frame, ToTime(placedAt + latency));
    }
}

void
TimedReceivePath::OnPlaced(uint32_t kind, FrameIndex copy)
{
    const Frame& frame = m_core.pool[copy];
    if (kind == ON_GPU)
    {
        m_gpu->Leave(frame.payloadBytes);
    }
    else
    {
        m_buffer.Release(frame.payloadBytes);
    }
    Write(frame, m_core.engine->Now(), kind == ON_GPU ? m_gpu->GetLatency() : 0);
    m_core.pool.Free(copy);
}

Tick
TimedReceivePath::PlaceAny(QueuePair& queuePair,
                           const Frame& frame,
                           const Placement& placement,
                           Tick now)
{
    Tick knownAt = GetRequestTime(queuePair, frame, now);
    if (frame.payloadBytes == 0)
    {
        return knownAt;
    }
    const bool hasAddress = HasAddress(frame);
    const uint32_t bytes = placement.bytes > 0 ? placement.bytes : frame.payloadBytes;
    if (m_gpu && m_gpu->IsUsed())
    {
        const uint64_t address = hasAddress ? frame.remoteAddress : placement.address;
        if (m_gpu->Holds(address))
        {
            const Tick from = std::max(knownAt, placement.from);
            return WriteAt(frame, m_gpu->Write(now, from, address, bytes), ON_GPU, bytes);
        }
    }
    if (hasAddress)
    {
        const Tick translatedAt =
            m_hardware.GetTranslationCache().Access(now, frame.remoteAddress, frame.payloadBytes);
        knownAt = std::max(knownAt, translatedAt);
    }
    knownAt = std::max(knownAt, placement.from);
    if (knownAt <= now && placement.bytes == 0)
    {
        Write(frame, now, 0);
        return now;
    }
    m_buffer.Hold(bytes);
    return WriteAt(frame, knownAt, PLACED, bytes);
}

// The functions up to HandleEvent() are inlined: each packet passes them.

[[gnu::always_inline]] inline Tick
TimedReceivePath::Place(QueuePair& queuePair, const Frame& frame, const Placement& placement)
{
    const Tick now = m_core.engine->Now();
    const OpcodeInfo& info = opcode::Get(frame.opcode);
    const bool isPlain = info.kind != OpcodeKind::SEND && !info.hasImmediate && !m_gpu &&
                         (frame.flags & frame_flag::DETAILED) == 0;
    if (!isPlain || placement.from > now || placement.bytes > 0)
    {
        return PlaceAny(queuePair, frame, placement, now);
    }
    if (frame.payloadBytes > 0)
    {
        Write(frame, now, 0);
    }
    return now;
}

[[gnu::always_inline]] inline void
TimedReceivePath::SendAnswer(FrameIndex answer, const Frame& packet, Tick heldFor)
{
    if (m_answerLead.headBytes == 0)
    {
        m_controlPath.SendAnswer(answer, heldFor);
        return;
    }
    const Tick wire =
        m_port.GetSerialization(packet.wireBytes) -
        m_port.GetSerialization(std::min<uint32_t>(packet.wireBytes, m_answerLead.headBytes));
    m_controlPath.SendEarlyAnswer(answer, heldFor, m_answerLead.Get(packet.wireBytes, wire));
}

[[gnu::always_inline]] inline void
TimedReceivePath::CarryOut(QueuePair& queuePair, FrameIndex index)
{
    const Frame& frame = m_core.pool[index];
    const Tick heldFor = GetTimeOnChip(m_core, index);
    const PacketOutcome outcome =
        m_transport.OnPacket(queuePair, frame, m_core.pool.FindDetail(frame), m_frames, heldFor);
    if (outcome.drop)
    {
        m_port.CountDrop(frame, *outcome.drop);
    }
    if (outcome.cnp != NO_FRAME)
    {
        m_controlPath.Send(outcome.cnp);
    }
    Tick visibleAt = outcome.placement.IsPlaced() ? Place(queuePair, frame, outcome.placement) : 0;
    if (m_reads && outcome.placement.IsPlaced() && !opcode::IsRequest(frame.opcode))
    {
        m_reads->OnPlaced(visibleAt);
    }
    if (outcome.isForSoftware)
    {
        visibleAt = std::max(visibleAt, m_slowPath.Report(queuePair.GetNumber(), frame));
    }
    if (outcome.answer != NO_FRAME)
    {
        SendAnswer(outcome.answer, frame, heldFor);
    }
    if (outcome.wakeAt != TICK_NEVER)
    {
        if (m_transmitter.Has(queuePair))
        {
            m_transmitter.Activate(queuePair);
        }
        else
        {
            m_ports.FindPath(queuePair).Activate(queuePair);
        }
    }
    m_core.pool.Free(index);
    if (!outcome.completions.empty())
    {
        m_reporter.Deliver(outcome.completions, visibleAt);
    }
}

[[gnu::always_inline]] inline void
TimedReceivePath::Handle(FrameIndex index)
{
    const Frame& frame = m_core.pool[index];
    m_buffer.Release(frame.wireBytes);
    std::optional<DropReason> drop;
    QueuePair* queuePair = m_transport.FindReceiver(frame, m_transmitter.GetPort(), drop);
    if (!queuePair)
    {
        if (drop)
        {
            m_port.CountDrop(frame, *drop);
        }
        m_core.pool.Free(index);
    }
    else if (!opcode::IsRequest(frame.opcode) && m_slowPath.IsFor(frame))
    {
        m_slowPath.Divert(index);
    }
    else
    {
        CarryOut(*queuePair, index);
    }
}

void
TimedReceivePath::HandleHeld(FrameIndex index)
{
    Handle(index);
}

void
TimedReceivePath::HandleEvent(uint32_t kind, uint32_t index)
{
    if (kind != HANDLED)
    {
        OnPlaced(kind, index);
    }
    else if (!m_stall.IsUsed() || !m_stall.Hold(index))
    {
        Handle(index);
    }
}

} // namespace ns3::rdma
