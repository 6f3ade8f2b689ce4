// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/instant-chip.h"

namespace ns3::rdma
{

InstantChip::InstantChip(NicCore& nic,
                         const ChipSetup& setup,
                         const std::optional<RateLimiter>& limiter)
    : NicChip(nic, setup),
      m_limiter(limiter ? std::make_unique<RateLimiter>(*limiter) : nullptr)
{
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
        if (queuePair.GetPort() == m_number)
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
InstantChip::PullUnlimited(FabricPort& port)
{
    if (port.IsPaused(m_frames.GetStyle().dataPriority))
    {
        return {}; // The port pulls again when the pause ends.
    }
    const Tick now = m_core.engine->Now();
    m_transmitter.FetchLikely();
    const FrameIndex index = m_transmitter.TakeTurn(now);
    if (index == NO_FRAME)
    {
        m_transmitter.WakeWhenReady(now);
        return {};
    }
    const Frame& frame = m_core.pool[index];
    const Tick idleAt = now + port.GetSerialization(frame.wireBytes);
    m_transmitter.ExpectLeft(frame, idleAt);
    return {index, m_transmitter.IsReadyBy(idleAt, now)};
}

PulledFrame
InstantChip::Pull(FabricPort& port, uint32_t)
{
    return m_limiter ? PullLimited(port) : PullUnlimited(port);
}

void
InstantChip::OnReady(Tick)
{
    m_port.Kick();
}

void
InstantChip::Enter(QueuePair& queuePair)
{
    if (queuePair.GetRequester())
    {
        m_transmitter.Activate(queuePair);
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
    m_transmitter.Activate(queuePair);
    Notices notices;
    m_nic.reporter.FinishRequests(queuePair, {}, notices); // One of the requests may be invalid.
    m_nic.reporter.Deliver(notices);
}

PulledFrame
InstantChip::PullLimited(FabricPort& port)
{
    const Tick now = m_core.engine->Now();
    if (m_limiter->GetReadyTime() > now)
    {
        m_transmitter.WakeAt(m_limiter->GetReadyTime());
        return {};
    }
    PulledFrame pulled = PullUnlimited(port);
    if (pulled.frame == NO_FRAME)
    {
        return pulled;
    }
    const uint32_t wireBytes = m_core.pool[pulled.frame].wireBytes;
    m_limiter->Take(now, m_core.CountOnWire(wireBytes));
    if (pulled.hasMore && m_limiter->GetReadyTime() > now + port.GetSerialization(wireBytes))
    {
        m_transmitter.WakeAt(m_limiter->GetReadyTime());
        pulled.hasMore = false;
    }
    return pulled;
}

} // namespace ns3::rdma
