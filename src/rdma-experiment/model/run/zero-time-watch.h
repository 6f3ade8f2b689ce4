// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_ZERO_TIME_WATCH_H
#define RDMA_ZERO_TIME_WATCH_H

#include "ns3/tick.h"

#include <cstdint>

namespace ns3::rdma
{

/**
 * @ingroup rdma-scenario
 * @brief Finds out that simulated time stands still while events go on: a policy or an event
 * schedules itself again without end.
 *
 * Looks now and then, so that it costs nothing per event.
 */
class ZeroTimeWatch
{
  public:
    /// Events at one time without progress that are too many.
    static constexpr uint64_t MAX_EVENTS{1'000'000};

    /// Flows that start together may have their timers together, and ports of servers theirs: limit
    /// of events for each.
    static constexpr uint64_t EVENTS_PER_UNIT{16};

    /**
     * @param events handled since the start of the run
     * @param progress stands still if no frame moves and no flow starts or ends
     * @param units flows under way, ports, threads
     * @return whether simulated time will not go on any more.
     */
    bool Look(Tick now, uint64_t events, uint64_t progress, uint64_t units);

  private:
    Tick m_time{-1};
    uint64_t m_progress{0};
    uint64_t m_eventsBefore{0}; ///< Handled when this time, or progress, was first seen.
};

} // namespace ns3::rdma

#endif // RDMA_ZERO_TIME_WATCH_H
