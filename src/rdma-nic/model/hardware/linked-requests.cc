// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/linked-requests.h"

#include <algorithm>

namespace ns3::rdma
{

LinkedRequests::LinkedRequests(uint32_t ahead, uint32_t bytes)
    : m_ready(ahead),
      m_bytes(bytes)
{
}

Tick
LinkedRequests::ReadNext(Tick now, PcieLink& pcie)
{
    m_last = pcie.Read(now, std::max(now, m_last), DmaKind::WQE, 0, m_bytes);
    return m_last;
}

Tick
LinkedRequests::Take(Tick now, PcieLink& pcie)
{
    if (m_ready.empty())
    {
        return ReadNext(now, pcie);
    }
    if (!m_hasBegun)
    {
        m_hasBegun = true;
        for (Tick& ready : m_ready)
        {
            ready = ReadNext(now, pcie);
        }
    }
    Tick& oldest = m_ready[m_next];
    m_next = m_next + 1 == m_ready.size() ? 0 : m_next + 1;
    const Tick ready = std::max(now, oldest);
    oldest = ReadNext(now, pcie); // The message frees the space for it.
    return ready;
}

} // namespace ns3::rdma
