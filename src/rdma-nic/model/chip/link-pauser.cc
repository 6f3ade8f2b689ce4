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

LinkPauser::LinkPauser(FabricCore& core,
                       FabricPort& port,
                       const uint8_t& priorities,
                       NicHardware& hardware)
    : m_core(core),
      m_port(port),
      m_hardware(hardware),
      m_buffer(hardware.GetReceiveBuffer()),
      m_target(core.engine->Register(this)),
      m_priorities(priorities)
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
    SendPauses(QUANTA);
    LookAgain(now, m_buffer.GetExcess(m_hardware.GetWriteBacklog(now)));
}

void
LinkPauser::SendPauses(uint16_t quanta)
{
    const bool isNew = m_paused == 0;
    m_paused |= m_priorities;
    for (uint32_t left = m_paused; left != 0; left &= left - 1)
    {
        m_core.pfcPauses += isNew;
        m_port.SendPause(static_cast<uint8_t>(__builtin_ctz(left)), quanta);
    }
    m_paused = quanta == 0 ? 0 : m_paused;
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
        SendPauses(0);
        return;
    }
    if (now >= m_sentAt + m_port.GetPauseDuration(QUANTA) / 2)
    {
        m_sentAt = now;
        SendPauses(QUANTA);
    }
    LookAgain(now, excess);
}

} // namespace ns3::rdma
