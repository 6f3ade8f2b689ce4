// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/stream-timing.h"

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
    if (isSent)
    {
        const Cycle first = m_sent.Take(edge, words * interval);
        const Cycle late = (words - 1) * (interval - 1); // Of the last word, beyond bus rate.
        return {clock.GetTime(first + latency + late), clock.GetTime(first + words * interval)};
    }
    const Cycle first = m_received.Take(edge - (words - 1), words * interval);
    const Cycle last = first + (words - 1) * interval;
    return {clock.GetTime(last + latency), clock.GetTime(last)};
}

} // namespace ns3::rdma
