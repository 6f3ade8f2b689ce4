// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/open-requests.h"

namespace ns3::rdma
{

void
OpenRequests::Begin(Tick start)
{
    m_starts.push_back(start);
}

void
OpenRequests::End(uint64_t number)
{
    if (number < m_first)
    {
        return;
    }
    m_starts[number - m_first] = TICK_NEVER;
    while (!m_starts.empty() && m_starts.front() == TICK_NEVER)
    {
        m_starts.pop_front();
        ++m_first;
    }
}

} // namespace ns3::rdma
