// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/zero-time-watch.h"

#include <algorithm>

namespace ns3::rdma
{

bool
ZeroTimeWatch::Look(Tick now, uint64_t events, uint64_t progress, uint64_t units)
{
    if (now != m_time || progress != m_progress)
    {
        m_time = now;
        m_progress = progress;
        m_eventsBefore = events;
        return false;
    }
    return events - m_eventsBefore >= std::max(MAX_EVENTS, EVENTS_PER_UNIT * units);
}

} // namespace ns3::rdma
