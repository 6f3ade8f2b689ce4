// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_STALL_WATCH_H
#define RDMA_STALL_WATCH_H

#include "ns3/tick.h"

#include <cstdint>

namespace ns3::rdma
{

/**
 * @ingroup rdma-scenario
 * @brief Finds out that nothing progresses any more.
 *
 * Looks four times within the limit: a stall is found at most a quarter too late.  At
 * IsNearLimit(), the last progress was less than the limit ago.
 */
class StallWatch
{
  public:
    /// @param limit how long nothing may progress
    StallWatch(Tick limit, Tick now);

    /// @return when to look next; TICK_NEVER after End().
    Tick GetNextTime() const
    {
        return m_next;
    }

    /**
     * @brief Looks. At GetNextTime().
     * @param progress of all work: stands still in a stall; @param hasWork whether some is under
     * way: without, waiting is no stall
     * @return whether the run has stalled.
     */
    bool Look(uint64_t progress, bool hasWork);

    /// @return whether the next look would find the limit exceeded. After a look without progress.
    bool IsNearLimit() const
    {
        return m_next - m_lastProgress >= m_limit;
    }

    /// Leaves out looks before a time that would all find no work under way, but the last one.
    void SkipIdle(Tick until);

    /// All is done: no further check is needed.
    void End();

  private:
    /// @return from one look to the next.
    Tick GetStep() const;

    Tick m_limit;
    Tick m_next;
    Tick m_lastProgress;
    uint64_t m_progressThen{0};
};

} // namespace ns3::rdma

#endif // RDMA_STALL_WATCH_H
