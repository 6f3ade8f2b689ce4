// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/link-pauser.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{
constexpr uint16_t QUANTA{65535}; ///< The longest pause, as switches use it.
/// 100 ns: about the duration of a 1250-byte packet at 100 Gb/s.
constexpr Tick SHORTEST_LOOK{100'000};
} // namespace

LinkPauser::LinkPauser(FabricCore& core, FabricPort& port, uint8_t priority, NicHardware& hardware)
    : m_core(core),
      m_port(port),
      m_hardware(hardware),
      m_buffer(hardware.GetReceiveBuffer()),
      m_target(core.engine->Register(this)),
      m_priority(priority)
{
}

LinkPauser::~LinkPauser()
{
    m_core.engine->Unregister(m_target);
}

void
LinkPauser::Pause(Tick now)
{
    m_isPaused = true;
    m_sentAt = now;
    ++m_core.pfcPauses;
    m_port.SendPause(m_priority, QUANTA);
    LookAgain(now, m_buffer.GetExcess(m_hardware.GetWriteBacklog(now)));
}

void
LinkPauser::LookAgain(Tick now, uint64_t excessBytes)
{
    const auto bytes = static_cast<uint32_t>(std::min<uint64_t>(excessBytes, UINT32_MAX / 2));
    const Tick refresh = m_sentAt + m_port.GetPauseDuration(QUANTA) / 2;
    const Tick drained = now + std::max(SHORTEST_LOOK, m_port.GetSerialization(bytes));
    m_core.engine->Schedule(std::min(drained, std::max(refresh, now + SHORTEST_LOOK)),
                            FabricEngine::MakeOwner(m_target, 0),
                            0);
}

void
LinkPauser::HandleEvent(uint32_t, uint32_t)
{
    const Tick now = m_core.engine->Now();
    const uint64_t excess = m_buffer.GetExcess(m_hardware.GetWriteBacklog(now));
    if (excess == 0)
    {
        m_isPaused = false;
        m_port.SendPause(m_priority, 0);
        return;
    }
    if (now >= m_sentAt + m_port.GetPauseDuration(QUANTA) / 2)
    {
        m_sentAt = now;
        m_port.SendPause(m_priority, QUANTA);
    }
    LookAgain(now, excess);
}

} // namespace ns3::rdma
