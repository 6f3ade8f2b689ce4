// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/receive-engine.h"

#include "ns3/nic-receiver.h"
#include "ns3/opcode.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{
constexpr uint32_t FCS_BYTES{4}; ///< Not in Frame::wireBytes.
} // namespace

ReceiveEngine::ReceiveEngine(FabricCore& core,
                             FabricPort& port,
                             NicHardware& hardware,
                             const QueuePairTable& table)
    : m_core(core),
      m_port(port),
      m_hardware(hardware),
      m_table(table),
      m_ingress(hardware.GetIngressMeter()),
      m_buffer(hardware.GetReceiveBuffer()),
      m_target(core.engine->Register(this))
{
}

ReceiveEngine::~ReceiveEngine()
{
    m_core.engine->Unregister(m_target);
}

void
ReceiveEngine::SetReceiver(NicReceiver* receiver)
{
    m_receiver = receiver;
}

void
ReceiveEngine::Arrive(FrameIndex index)
{
    const Tick now = m_core.engine->Now();
    if (m_ingress.IsUsed())
    {
        Frame& frame = m_core.pool[index];
        if (!m_ingress.Admit(now, frame.wireBytes + FCS_BYTES))
        {
            Drop(index, DropReason::RECEIVE_BUFFER_FULL);
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
ReceiveEngine::Drop(FrameIndex index, DropReason reason)
{
    m_core.drops.Count(reason);
    m_port.GetDropTrace()(m_core.pool[index], reason);
    m_core.pool.Free(index);
}

void
ReceiveEngine::Take(FrameIndex index, Tick now)
{
    const Frame& frame = m_core.pool[index];
    const uint64_t backlog = m_hardware.GetPcie().GetWriteBacklog(now);
    if (const auto reason = m_buffer.Admit(frame.wireBytes, frame.payloadBytes, backlog))
    {
        Drop(index, *reason);
        return;
    }
    // A late frame for a queue pair that is gone has no context to fetch.
    const uint32_t place = m_table.GetPlace(frame.dstQp);
    const Tick contextAt =
        place == QueuePairTable::NO_PLACE ? now : m_hardware.GetContextCache().Access(now, place);
    const Tick handledAt = m_hardware.GetReceivePipeline().Enter(now, contextAt, frame.wireBytes);
    m_core.engine->Schedule(handledAt, FabricEngine::MakeOwner(m_target, HANDLED), index);
}

bool
ReceiveEngine::HasAddress(const Frame& frame)
{
    return (frame.flags & frame_flag::DETAILED) != 0 &&
           opcode::IsWrite(opcode::GetOperation(frame.opcode));
}

Tick
ReceiveEngine::Place(const Frame& frame, uint32_t receiveQueue, Tick& requestAt)
{
    const Tick now = m_core.engine->Now();
    if (receiveQueue != 0)
    {
        requestAt = m_hardware.GetReceiveWqeCache().Take(now, receiveQueue);
    }
    Tick knownAt =
        opcode::IsSend(opcode::GetOperation(frame.opcode)) ? std::max(now, requestAt) : now;
    if (frame.payloadBytes == 0)
    {
        return std::max(knownAt, requestAt);
    }
    if (HasAddress(frame))
    {
        const Tick translatedAt =
            m_hardware.GetTranslationCache().Access(now, frame.remoteAddress, frame.payloadBytes);
        knownAt = std::max(knownAt, translatedAt);
    }
    if (knownAt <= now)
    {
        Write(frame, now);
        return std::max(now, requestAt);
    }
    const FrameIndex copy = m_core.pool.Allocate();
    const FrameIndex next = m_core.pool[copy].next;
    m_core.pool[copy] = frame;
    m_core.pool[copy].next = next;
    m_core.pool[copy].flags &= static_cast<uint8_t>(~frame_flag::DETAILED);
    m_core.engine->Schedule(knownAt, FabricEngine::MakeOwner(m_target, PLACED), copy);
    return knownAt;
}

void
ReceiveEngine::Write(const Frame& frame, Tick now)
{
    const uint64_t address = HasAddress(frame) ? frame.remoteAddress : 0;
    const Tick placedAt =
        m_hardware.GetPcie().Write(now, now, DmaKind::PAYLOAD, address, frame.payloadBytes);
    if (!m_placedTrace.IsEmpty())
    {
        m_placedTrace(frame, ToTime(placedAt));
    }
}

void
ReceiveEngine::SendControl(FrameIndex index)
{
    const Tick latency = m_hardware.GetControlLatency();
    if (latency == 0)
    {
        m_port.Enqueue(index);
        return;
    }
    m_core.engine->Schedule(m_core.engine->Now() + latency,
                            FabricEngine::MakeOwner(m_target, CONTROL_SENT),
                            index);
}

void
ReceiveEngine::HandleEvent(uint32_t kind, uint32_t index)
{
    if (kind == CONTROL_SENT)
    {
        m_port.Enqueue(index);
        return;
    }
    if (kind == PLACED)
    {
        Write(m_core.pool[index], m_core.engine->Now());
        m_core.pool.Free(index);
        return;
    }
    m_buffer.Release(m_core.pool[index].wireBytes);
    m_receiver->Handle(index);
}

} // namespace ns3::rdma
