// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/pause-storm.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{
constexpr uint16_t LONGEST_PAUSE{65535}; ///< Quanta of 512 bit times (IEEE 802.3 Annex 31B).
} // namespace

PauseStorm::PauseStorm(FabricCore& core, FabricPort& port, uint8_t priority, Tick begin, Tick end)
    : m_core(core),
      m_port(port),
      m_priority(priority),
      m_end(end),
      m_target(m_core.engine->Register(this))
{
    m_core.engine->Schedule(begin, FabricEngine::MakeOwner(m_target, 0), 0);
}

PauseStorm::~PauseStorm()
{
    m_core.engine->Unregister(m_target);
}

void
PauseStorm::HandleEvent(uint32_t, uint32_t)
{
    const Tick now = m_core.engine->Now();
    if (now >= m_end)
    {
        m_port.SendPause(m_priority, 0);
        return;
    }
    m_port.SendPause(m_priority, LONGEST_PAUSE);
    const Tick next = now + m_port.GetPauseDuration(LONGEST_PAUSE) / 2;
    m_core.engine->Schedule(std::min(next, m_end), FabricEngine::MakeOwner(m_target, 0), 0);
}

bool
PauseStorm::IsUpkeep(uint32_t, uint32_t) const
{
    // The end of a storm lets frames leave.
    return m_end == TICK_NEVER;
}

} // namespace ns3::rdma
