// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/control-path.h"

#include <algorithm>
#include <limits>

namespace ns3::rdma
{

ControlPath::ControlPath(FabricCore& core, FabricPort& port, Tick latency)
    : m_core(core),
      m_port(port),
      m_latency(latency),
      m_target(core.engine->Register(this))
{
}

ControlPath::~ControlPath()
{
    m_core.engine->Unregister(m_target);
}

void
ControlPath::Send(FrameIndex frame)
{
    if (m_latency == 0)
    {
        m_port.Enqueue(frame);
        return;
    }
    m_core.engine->Schedule(m_core.engine->Now() + m_latency,
                            FabricEngine::MakeOwner(m_target, 0),
                            frame);
}

void
ControlPath::SendAnswer(FrameIndex frame, Tick heldFor)
{
    constexpr Tick LONGEST{std::numeric_limits<uint32_t>::max()};
    m_core.pool[frame].hostDelay = static_cast<uint32_t>(std::min(heldFor + m_latency, LONGEST));
    Send(frame);
}

void
ControlPath::HandleEvent(uint32_t, uint32_t frame)
{
    m_port.Enqueue(frame);
}

} // namespace ns3::rdma
