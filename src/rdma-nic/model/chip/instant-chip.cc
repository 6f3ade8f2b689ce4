// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/instant-chip.h"

namespace ns3::rdma
{

InstantChip::InstantChip(NicCore& nic,
                         const ChipSetup& setup,
                         const std::optional<RateLimiter>& limiter)
    : NicChip(nic, setup),
      m_extras(limiter ? std::make_unique<Extras>() : nullptr)
{
    if (limiter)
    {
        m_extras->limiter = limiter;
    }
}

NicTransmitter*
InstantChip::FindOther(uint32_t classNumber) const
{
    return m_extras ? m_extras->others[classNumber].get() : nullptr;
}

void
InstantChip::AddClass(uint32_t classNumber, const Ptr<SendScheduler>& scheduler)
{
    m_extras = m_extras ? std::move(m_extras) : std::make_unique<Extras>();
    m_extras->others[classNumber] = MakeTransmitter(classNumber, scheduler);
    PullAlso(classNumber);
}

void
InstantChip::Receive(FrameIndex index)
{
    if (IsForDevice(index))
    {
        return;
    }
    FramePool& pool = m_core.pool;
    const Frame& frame = pool[index];
    std::optional<DropReason> drop;
    QueuePair* queuePair = m_nic.transport.FindReceiver(frame, m_number, drop);
    if (!queuePair)
    {
        if (drop)
        {
            m_port.CountDrop(frame, *drop);
        }
        pool.Free(index);
        return;
    }
    if (!opcode::IsRequest(frame.opcode))
    {
        FetchLines<4>(queuePair->GetRequester());
        FetchLines<1>(&m_transmitter);
    }
    const PacketOutcome outcome =
        m_nic.transport.OnPacket(*queuePair, frame, pool.FindDetail(frame), m_frames);
    CarryOut(*queuePair, frame, outcome);
    pool.Free(index);
    if (!outcome.completions.empty())
    {
        m_nic.reporter.Deliver(outcome.completions);
    }
}

inline void
InstantChip::CarryOut(QueuePair& queuePair, const Frame& frame, const PacketOutcome& outcome)
{
    if (outcome.drop)
    {
        m_port.CountDrop(frame, *outcome.drop);
    }
    for (const FrameIndex control : {outcome.cnp, outcome.answer})
    {
        if (control != NO_FRAME)
        {
            m_port.Enqueue(control);
        }
    }
    if (outcome.wakeAt != TICK_NEVER)
    {
        if (m_transmitter.IsOwnLane(queuePair))
        {
            m_transmitter.Activate(queuePair);
        }
        else
        {
            m_nic.ports.FindPath(queuePair).Activate(queuePair);
        }
    }
}

[[gnu::always_inline]] inline PulledFrame
InstantChip::PullUnlimited(FabricPort& port, NicTransmitter& transmitter, uint32_t priority)
{
    if (port.IsPaused(static_cast<uint8_t>(priority)))
    {
        return {}; // The port pulls again when the pause ends.
    }
    const Tick now = m_core.engine->Now();
    transmitter.Fetch();
    const FrameIndex index = transmitter.TakeTurn(now);
    if (index == NO_FRAME)
    {
        transmitter.WakeWhenReady(now);
        return {};
    }
    const Frame& frame = m_core.pool[index];
    const Tick idleAt = now + port.GetSerialization(frame.wireBytes);
    transmitter.ExpectLeft(frame, idleAt);
    return {index, transmitter.IsReadyBy(idleAt, now)};
}

PulledFrame
InstantChip::Pull(FabricPort& port, uint32_t classNumber)
{
    return m_extras ? PullClass(port, classNumber)
                    : PullUnlimited(port, m_transmitter, classNumber);
}

PulledFrame
InstantChip::PullClass(FabricPort& port, uint32_t priority)
{
    const uint32_t classNumber = FindClassNumber(priority);
    NicTransmitter& transmitter = classNumber == 0 ? m_transmitter : *FindOther(classNumber);
    return m_extras->limiter ? PullLimited(port, transmitter, priority)
                             : PullUnlimited(port, transmitter, priority);
}

void
InstantChip::OnReady(Tick, uint8_t classes)
{
    // The classes share the limiter: when it allows a frame, the port chooses among all of them.
    m_port.Kick(m_extras && m_extras->limiter ? m_classes : classes);
}

void
InstantChip::Enter(QueuePair& queuePair)
{
    if (queuePair.GetRequester())
    {
        Activate(queuePair);
    }
}

void
InstantChip::OnPosted(QueuePair& queuePair, uint32_t)
{
    if (m_transmitter.GetTraces())
    {
        m_transmitter.GetTraces()->progress(queuePair.GetNumber(),
                                            *queuePair.GetRequester(),
                                            nullptr);
    }
    FindTransmitter(queuePair).Activate(queuePair);
    Notices notices;
    m_nic.reporter.FinishRequests(queuePair, {}, notices); // One of the requests may be invalid.
    m_nic.reporter.Deliver(notices);
}

PulledFrame
InstantChip::PullLimited(FabricPort& port, NicTransmitter& transmitter, uint32_t priority)
{
    const Tick now = m_core.engine->Now();
    RateLimiter& limiter = *m_extras->limiter;
    if (limiter.GetReadyTime() > now)
    {
        transmitter.WakeAt(limiter.GetReadyTime());
        return {};
    }
    PulledFrame pulled = PullUnlimited(port, transmitter, priority);
    if (pulled.frame == NO_FRAME)
    {
        return pulled;
    }
    const uint32_t wireBytes = m_core.pool[pulled.frame].wireBytes;
    limiter.Take(now, m_core.CountOnWire(wireBytes));
    if (pulled.hasMore && limiter.GetReadyTime() > now + port.GetSerialization(wireBytes))
    {
        transmitter.WakeAt(limiter.GetReadyTime());
        pulled.hasMore = false;
    }
    return pulled;
}

} // namespace ns3::rdma
