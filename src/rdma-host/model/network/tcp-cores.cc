// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/tcp-cores.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{
constexpr Tick MESSAGES{4}; // Of a call, sent and received: SoftwareCosts counts them together.
} // namespace

TcpCores::TcpCores(uint32_t cores, const KernelTcp& tcp, const SoftwareCosts& software)
    : m_costs(tcp.GetCosts()),
      m_rpc(software.GetRpc() / MESSAGES),
      m_miss(software.GetMisses(1)),
      m_freeAt(cores, 0)
{
}

Tick
TcpCores::Work(Tick now, uint32_t core, Tick cost)
{
    Tick& freeAt = m_freeAt[core % m_freeAt.size()];
    freeAt = std::max(freeAt, now) + cost;
    m_busy += cost;
    return freeAt;
}

Tick
TcpCores::Send(Tick now, uint32_t core, uint64_t bytes)
{
    return Work(now, core, m_rpc + m_costs.GetMessage(bytes, KernelTcpLoad().GetMss()).GetSend());
}

Tick
TcpCores::Receive(Tick now, uint32_t core, uint64_t bytes, Tick work)
{
    const Tick idle = now - m_freeAt[core % m_freeAt.size()];
    if (idle >= 0)
    {
        // The core sleeps meanwhile.
        now += m_costs.moderation + m_costs.GetIdleExit(idle + m_costs.moderation);
        Work(now, core, m_costs.interrupt + m_costs.wakeUp);
    }
    const Tick receive = m_costs.GetMessage(bytes, KernelTcpLoad().GetMss()).GetReceive();
    return Work(now, core, receive + m_rpc + work);
}

Tick
TcpCores::GetLookupTime(uint32_t entries) const
{
    return static_cast<Tick>(entries + 1) * m_miss;
}

} // namespace ns3::rdma
