// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/instant-chip.h"

namespace ns3::rdma
{

void
InstantPath::Receive(FrameIndex index)
{
    if (IsForDevice(index))
    {
        return;
    }
    FramePool& pool = parts.core.pool;
    const Frame& frame = pool[index];
    bool hasReports = false;
    if (QueuePair* queuePair = transport.FindReceiver(frame))
    {
        const FrameDetail* detail = pool.FindDetail(frame);
        hasReports = opcode::IsRequest(frame.opcode) ? TakeRequest(*queuePair, frame, detail)
                                                     : TakeResponse(*queuePair, frame, detail);
    }
    pool.Free(index);
    if (hasReports)
    {
        parts.reporter.Deliver();
    }
}

bool
InstantPath::TakeRequest(QueuePair& queuePair, const Frame& frame, const FrameDetail* detail)
{
    const RequestOutcome outcome = transport.OnRequest(queuePair, frame, detail);
    if (outcome.cnp != NO_FRAME)
    {
        parts.port.Enqueue(outcome.cnp);
    }
    if (outcome.answer.hasAck)
    {
        parts.port.Enqueue(
            transport.MakeAcknowledgment(queuePair, outcome.answer.acknowledgment, frame));
    }
    if (outcome.mayActivate)
    {
        transmitter.Activate(queuePair);
    }
    return outcome.hasReports;
}

bool
InstantPath::TakeResponse(QueuePair& queuePair, const Frame& frame, const FrameDetail* detail)
{
    FetchLines<4>(queuePair.requester.get());
    FetchLines<1>(&transmitter);
    const ResponseOutcome outcome = transport.OnResponse(queuePair, frame, detail);
    for (const FrameIndex control : {outcome.cnp, outcome.answer})
    {
        if (control != NO_FRAME)
        {
            parts.port.Enqueue(control);
        }
    }
    transmitter.Activate(queuePair);
    return outcome.hasReports;
}

PulledFrame
InstantPath::Pull(FabricPort& port)
{
    if (port.IsPaused(parts.frames.GetStyle().dataPriority))
    {
        return {}; // The port pulls again when the pause ends.
    }
    const Tick now = parts.core.engine->Now();
    transmitter.FetchLikely();
    QueuePair* queuePair = transmitter.Pick(now);
    if (!queuePair)
    {
        transmitter.WakeWhenReady(now);
        return {};
    }
    PayloadSource source; // In memory that takes no time.
    const FrameIndex index = transmitter.Take(*queuePair, now, source);
    if (source.services)
    {
        transmitter.Serve(*queuePair, index, source, now); // Takes no time, as the whole chip.
    }
    const Frame& frame = parts.core.pool[index];
    const Tick idleAt = now + port.GetSerialization(frame.wireBytes);
    transmitter.ExpectLeft(frame, idleAt);
    transmitter.Return(*queuePair);
    return {index, transmitter.IsReadyBy(idleAt, now)};
}

void
InstantPath::OnReady(Tick)
{
    parts.port.Kick();
}

void
InstantPath::Enter(QueuePair& queuePair)
{
    if (queuePair.requester)
    {
        transmitter.Activate(queuePair);
    }
}

void
InstantPath::OnPosted(QueuePair& queuePair, uint32_t)
{
    if (parts.traces)
    {
        parts.traces->progress(queuePair.number, *queuePair.requester, nullptr);
    }
    transmitter.Activate(queuePair);
    Completions none;
    parts.reporter.FinishRequests(queuePair, none); // One of them may be bad.
    parts.reporter.Deliver();
}

PulledFrame
LimitedChip::Pull(FabricPort& port)
{
    const Tick now = parts.core.engine->Now();
    if (m_limiter.GetReadyTime() > now)
    {
        transmitter.WakeAt(m_limiter.GetReadyTime());
        return {};
    }
    PulledFrame pulled = InstantPath::Pull(port);
    if (pulled.frame == NO_FRAME)
    {
        return pulled;
    }
    const uint32_t wireBytes = parts.core.pool[pulled.frame].wireBytes;
    m_limiter.Take(now, parts.core.CountOnWire(wireBytes));
    if (pulled.hasMore && m_limiter.GetReadyTime() > now + port.GetSerialization(wireBytes))
    {
        transmitter.WakeAt(m_limiter.GetReadyTime());
        pulled.hasMore = false;
    }
    return pulled;
}

} // namespace ns3::rdma
