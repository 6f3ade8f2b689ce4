// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/tcp-cores.h"

#include <algorithm>

namespace ns3::rdma
{

TcpCores::TcpCores(uint32_t cores)
    : m_costs(CreateObject<KernelTcp>()->GetCosts()),
      m_freeAt(cores, 0)
{
    constexpr Tick MESSAGES{4}; // Of a call, sent and received: SoftwareCosts counts them together.
    const auto software = CreateObject<SoftwareCosts>();
    m_rpc = software->GetRpc() / MESSAGES;
    m_miss = software->GetMisses(1);
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
    const uint64_t segments = (bytes + m_costs.segmentBytes - 1) / m_costs.segmentBytes;
    return Work(now,
                core,
                m_rpc + m_costs.systemCall + m_costs.sendCopy.GetDuration(bytes) +
                    static_cast<Tick>(segments) * m_costs.sendSegment);
}

Tick
TcpCores::Receive(Tick now, uint32_t core, uint64_t bytes, Tick work)
{
    const uint64_t mss = KernelTcpLoad().GetMss();
    const auto packets = static_cast<Tick>((bytes + mss - 1) / mss);
    const auto segments =
        static_cast<Tick>((bytes + m_costs.segmentBytes - 1) / m_costs.segmentBytes);
    const Tick idle = now - m_freeAt[core % m_freeAt.size()];
    if (idle >= 0)
    {
        now += m_costs.GetIdleExit(idle); // The core does nothing meanwhile.
        Work(now, core, m_costs.interrupt + m_costs.wakeUp);
    }
    return Work(now,
                core,
                packets * m_costs.receivePacket + m_costs.pages.GetDuration(bytes) +
                    segments * m_costs.receiveSegment + m_costs.systemCall +
                    m_costs.receiveCopy.GetDuration(bytes) + m_rpc + work);
}

Tick
TcpCores::GetLookupTime(uint32_t entries) const
{
    return static_cast<Tick>(entries + 1) * m_miss;
}

} // namespace ns3::rdma
