// SPDX-License-Identifier: GPL-2.0-only

// FabricPort: pauses of PFC (IEEE 802.1Qbb).

#include "ns3/fabric-port.h"
#include "ns3/log.h"

namespace ns3::rdma
{

NS_LOG_COMPONENT_DEFINE("FabricPortPauses");

namespace
{
constexpr uint32_t PFC_FRAME_BYTES{60};     ///< IEEE 802.1Qbb: a minimum-size MAC control frame.
constexpr uint64_t PAUSE_QUANTUM_BYTES{64}; ///< 512 bits (IEEE 802.3 Annex 31B).
} // namespace

Tick
FabricPort::GetPauseDuration(uint32_t quanta) const
{
    return m_serialization.GetDuration(quanta * PAUSE_QUANTUM_BYTES);
}

void
FabricPort::SendPause(uint8_t priority, uint16_t quanta)
{
    NS_LOG_INFO("port " << m_number << " (id " << m_target << ") sends a "
                        << (quanta > 0 ? "pause" : "resume") << ", priority " << +priority << ", "
                        << quanta << " quanta of 512 bit");
    const FrameIndex index = m_core.pool.Allocate();
    Frame& frame = m_core.pool[index];
    frame = Frame{};
    frame.wireBytes = PFC_FRAME_BYTES;
    frame.priority = priority;
    frame.flags = frame_flag::MAC_CONTROL;
    frame.payloadBytes = quanta;
    m_queues.Append(m_core.pool, PortQueues::CONTROL, frame, index);
    if (m_traces && quanta > 0)
    {
        ++m_traces->counters.pausesSent;
    }
    SendWhenIdle(m_core.engine->Now());
}

void
FabricPort::HandlePause(const Frame& frame)
{
    const uint8_t priority = frame.priority;
    const auto bit = static_cast<uint8_t>(1U << priority);
    const bool wasPaused = (m_pfcPaused & bit) != 0;
    const Tick until = m_core.engine->Now() + GetPauseDuration(frame.payloadBytes);
    if (m_pauseObserver)
    {
        m_pauseObserver->OnPauseFrame(*this, priority, until, !wasPaused);
    }
    if (frame.payloadBytes == 0)
    {
        wasPaused ? EndPause(priority) : Kick();
        return;
    }
    if ((m_ignoredPauses & bit) != 0)
    {
        return;
    }
    m_pfcPaused |= bit;
    if (!wasPaused)
    {
        NS_LOG_INFO("port " << m_number << " (id " << m_target << ") is paused, priority "
                            << +priority << ", " << frame.payloadBytes << " quanta of 512 bit");
        UpdatePaused();
    }
    m_pausedUntil[priority] = until;
    m_core.engine->Schedule(m_pausedUntil[priority],
                            FabricEngine::MakeOwner(m_target, PAUSE_ENDS),
                            priority);
}

void
FabricPort::SetPauseObserver(PauseObserver* observer)
{
    m_pauseObserver = observer;
}

void
FabricPort::IgnorePauses(uint8_t priority, bool isIgnored)
{
    const auto bit = static_cast<uint8_t>(1U << priority);
    m_ignoredPauses =
        static_cast<uint8_t>(isIgnored ? m_ignoredPauses | bit : m_ignoredPauses & ~bit);
    if (isIgnored && (m_pfcPaused & bit) != 0)
    {
        EndPause(priority);
    }
}

void
FabricPort::EndPause(uint8_t priority)
{
    NS_LOG_INFO("port " << m_number << " (id " << m_target << "): the pause ends, priority "
                        << +priority);
    m_pfcPaused &= static_cast<uint8_t>(~(1U << priority));
    if (UpdatePaused())
    {
        Kick();
    }
}

bool
FabricPort::UpdatePaused()
{
    if (m_link)
    {
        UpdateLink();
    }
    const auto paused = static_cast<uint8_t>(m_pfcPaused | (m_link ? m_link->closed : 0));
    const auto opened = static_cast<uint8_t>(m_paused & ~paused);
    const auto stopped = static_cast<uint8_t>(paused & ~m_paused);
    m_paused = paused;
    for (uint32_t left = m_traces ? opened | stopped : 0; left != 0; left &= left - 1)
    {
        const auto priority = static_cast<uint8_t>(__builtin_ctz(left));
        const Tick now = m_core.engine->Now();
        ((opened >> priority) & 1) != 0 ? m_traces->OnResume(priority, now)
                                        : m_traces->OnPause(priority, now);
    }
    if (m_link && opened != 0)
    {
        // A size that has become known may open a class, too: the owner has to be asked again.
        m_ownerReady |= m_ownerClasses;
        WakeWhenIdle(m_core.engine->Now());
    }
    return opened != 0;
}

} // namespace ns3::rdma
