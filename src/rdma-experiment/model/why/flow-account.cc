// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/flow-account.h"

#include <algorithm>

namespace ns3::rdma
{

void
FlowAccount::Add(Tick until, const FlowPlace& place)
{
    until = std::min(until, m_end);
    if (until <= m_cursor)
    {
        return;
    }
    if (!m_intervals.empty() && m_intervals.back().place == place)
    {
        m_intervals.back().until = until;
    }
    else
    {
        m_intervals.push_back({m_cursor, until, place});
    }
    m_cursor = until;
}

Tick
FlowAccount::Sum(FlowCause cause) const
{
    Tick sum = 0;
    for (const FlowInterval& interval : m_intervals)
    {
        sum += interval.place.cause == cause ? interval.until - interval.from : 0;
    }
    return sum;
}

Tick
FlowAccount::Sum() const
{
    Tick sum = 0;
    for (const FlowInterval& interval : m_intervals)
    {
        sum += interval.until - interval.from;
    }
    return sum;
}

} // namespace ns3::rdma
