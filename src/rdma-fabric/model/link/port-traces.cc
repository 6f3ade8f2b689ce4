// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/port-traces.h"

#include "ns3/drop-place.h"

namespace ns3::rdma
{

PortTraces::PortTraces(uint8_t paused, Tick now)
{
    for (uint32_t priority = 0; priority < PRIORITIES; ++priority)
    {
        m_pausedSince[priority] = ((paused >> priority) & 1) != 0 ? now : TICK_NEVER;
    }
}

void
PortTraces::OnMark(const Frame& frame)
{
    ++counters.marks;
    ++counters.classes[frame.priority].marks;
    mark(frame);
}

void
PortTraces::OnTrim(const Frame& frame)
{
    ++counters.trims;
    trim(frame);
}

void
PortTraces::OnDeparture(const Frame& frame, bool hasWaited, uint32_t queueBytes)
{
    if (hasWaited)
    {
        dequeue(frame, queueBytes);
    }
    transmit(frame);
}

void
PortTraces::OnDrop(const Frame& frame, DropReason reason)
{
    ++counters.drops;
    ++counters.classes[frame.priority].drops;
    counters.classes[frame.priority].discards += !IsFabricDrop(reason);
    drop(frame, reason);
}

void
PortTraces::OnPause(uint8_t priority, Tick now)
{
    ++counters.pauses;
    m_pausedSince[priority] = now;
    pause(priority);
}

void
PortTraces::OnResume(uint8_t priority, Tick now)
{
    const Tick duration = now - m_pausedSince[priority];
    counters.pausedTime += duration;
    counters.classes[priority].pausedTime += duration;
    m_pausedSince[priority] = TICK_NEVER;
    resume(priority);
}

Tick
PortTraces::GetPausedTime(uint32_t priority, Tick until) const
{
    const Tick since = m_pausedSince[priority];
    return counters.classes[priority].pausedTime + (since == TICK_NEVER ? 0 : until - since);
}

Tick
PortTraces::GetPausedTime(Tick until) const
{
    Tick paused = counters.pausedTime;
    for (const Tick since : m_pausedSince)
    {
        paused += since == TICK_NEVER ? 0 : until - since;
    }
    return paused;
}

} // namespace ns3::rdma
