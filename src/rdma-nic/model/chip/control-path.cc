// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/control-path.h"

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
ControlPath::SendEarlyAnswer(FrameIndex frame, Tick heldFor, Tick lead)
{
    const Tick now = m_core.engine->Now();
    // Acknowledgments keep their order.
    m_lastAnswer = std::max({m_lastAnswer, now, now + m_latency - lead});
    SetHostDelay(frame, heldFor + m_lastAnswer - now);
    m_core.engine->Schedule(m_lastAnswer, FabricEngine::MakeOwner(m_target, 0), frame);
}

void
ControlPath::HandleEvent(uint32_t, uint32_t frame)
{
    m_port.Enqueue(frame);
}

} // namespace ns3::rdma
