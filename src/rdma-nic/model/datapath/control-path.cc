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
ControlPath::HandleEvent(uint32_t, uint32_t frame)
{
    m_port.Enqueue(frame);
}

} // namespace ns3::rdma
