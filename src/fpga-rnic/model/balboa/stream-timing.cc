// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/stream-timing.h"

#include <algorithm>

namespace ns3::rdma
{

StreamTimes
StreamTiming::Pass(const ClockDomain& clock,
                   bool isSent,
                   Tick at,
                   uint32_t bytes,
                   uint32_t latency,
                   uint32_t interval)
{
    const Cycle edge = clock.GetCycle(at);
    const Cycle words = clock.GetWords(bytes);
    const Cycle late = (words - 1) * (interval - 1); // Of the last word, behind the bus' rate.
    if (isSent)
    {
        const Cycle first = std::max(edge, m_nextSent);
        m_nextSent = first + words * interval;
        return {clock.GetTime(first + latency + late), clock.GetTime(m_nextSent)};
    }
    m_lastReceived = std::max(edge + late, m_lastReceived + words * interval);
    return {clock.GetTime(m_lastReceived + latency), clock.GetTime(m_lastReceived)};
}

} // namespace ns3::rdma
