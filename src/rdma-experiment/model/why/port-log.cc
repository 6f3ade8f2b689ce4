// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/port-log.h"

#include "ns3/fabric-port.h"

#include <utility>

namespace ns3::rdma
{

PortLog::PortLog(std::string name, const FabricPort& port)
    : m_name(std::move(name)),
      m_port(port)
{
}

void
PortLog::OnPause(uint8_t priority, Tick now)
{
    m_pauses[priority].push_back({now, TICK_NEVER});
}

void
PortLog::OnResume(uint8_t priority, Tick now)
{
    if (!m_pauses[priority].empty())
    {
        m_pauses[priority].back().until = now;
    }
}

void
PortLog::AddBusy(Tick from, Tick until)
{
    if (!m_busy.empty() && m_busy.back().until == from)
    {
        m_busy.back().until = until;
        return;
    }
    if (m_wanted == 0)
    {
        m_busy.clear();
    }
    m_busy.push_back({from, until});
}

void
PortLog::Want()
{
    ++m_wanted;
}

void
PortLog::Unwant()
{
    --m_wanted;
    if (m_wanted == 0 && m_busy.size() > 1)
    {
        m_busy.erase(m_busy.begin(), m_busy.end() - 1);
    }
}

Tick
PortLog::GetSerialization(uint32_t wireBytes) const
{
    return m_port.GetSerialization(wireBytes);
}

Tick
PortLog::GetHeadTime(uint32_t wireBytes) const
{
    return m_port.GetHeadTime(wireBytes);
}

} // namespace ns3::rdma
