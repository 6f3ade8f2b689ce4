// SPDX-License-Identifier: GPL-2.0-only

// FabricSwitch: pauses of PFC, and their watchdog.

#include "ns3/fabric-switch.h"

namespace ns3::rdma
{

void
FabricSwitch::Pause(uint32_t queue)
{
    m_pausedQueues += !m_pauses[queue].isPaused; // A pause may be repeated.
    m_pauses[queue].isPaused = true;
    m_pauses[queue].notifiedAt = m_core->engine->Now();
    ++m_core->pfcPauses;
    m_ports[queue % m_portCount]->SendPause(static_cast<uint8_t>(queue / m_portCount),
                                            m_pauseQuanta);
    ScheduleRefresh(queue);
}

void
FabricSwitch::Resume(uint32_t queue)
{
    m_pauses[queue].isPaused = false;
    --m_pausedQueues;
    m_ports[queue % m_portCount]->SendPause(static_cast<uint8_t>(queue / m_portCount), 0);
}

void
FabricSwitch::PauseIfOver(uint32_t queue)
{
    if (m_isPfcEnabled && !m_pauses[queue].isPaused && IsLossless(queue / m_portCount) &&
        m_buffer->IsOverThreshold(queue))
    {
        Pause(queue);
    }
}

void
FabricSwitch::ResumeIfBelow(uint32_t queue)
{
    if (m_isPfcEnabled && m_pauses[queue].isPaused &&
        m_buffer->IsBelowThreshold(queue, m_resumeMargin))
    {
        Resume(queue);
    }
}

Tick
FabricSwitch::GetRefreshInterval(uint32_t queue) const
{
    return m_ports[queue % m_portCount]->GetPauseDuration(m_pauseQuanta) / 2;
}

void
FabricSwitch::ScheduleRefresh(uint32_t queue)
{
    if (!m_pauses[queue].hasRefresh)
    {
        m_pauses[queue].hasRefresh = true;
        m_core->engine->Schedule(m_pauses[queue].notifiedAt + GetRefreshInterval(queue),
                                 FabricEngine::MakeOwner(m_target, REFRESH_PAUSE),
                                 queue);
    }
}

void
FabricSwitch::RefreshPause(uint32_t queue)
{
    PauseState& pause = m_pauses[queue];
    pause.hasRefresh = false;
    if (!pause.isPaused)
    {
        return;
    }
    // The queue may have been resumed and paused again since: then this pause is not due for a
    // refresh.
    if (m_core->engine->Now() < pause.notifiedAt + GetRefreshInterval(queue))
    {
        ScheduleRefresh(queue);
        return;
    }
    Pause(queue);
}

void
FabricSwitch::IgnoreLossyPauses()
{
    for (FabricPort* port : m_ports)
    {
        for (uint32_t priority = 0; m_classes && priority < PRIORITIES; ++priority)
        {
            if (!IsLossless(priority))
            {
                port->IgnorePauses(static_cast<uint8_t>(priority), true);
            }
        }
    }
}

void
FabricSwitch::OnStorm(FabricPort& port, uint8_t priority, bool isStorm)
{
    UpdatePlain();
    while (isStorm && port.FindOldest(priority))
    {
        const FrameIndex index = port.TakeOldest(priority);
        const Frame& frame = m_core->pool[index];
        const uint32_t queue = MakeQueue(frame.ingressPort, frame.priority);
        m_buffer->Remove(queue, frame.wireBytes);
        Drop(index, DropReason::PAUSE_STORM);
        ResumeIfBelow(queue);
    }
}

} // namespace ns3::rdma
