// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RUN_DECIDER_H
#define RDMA_RUN_DECIDER_H

#include "ns3/precision-watch.h"
#include "ns3/stall-watch.h"
#include "ns3/window-loop.h"

#include <functional>

namespace ns3::rdma
{

/**
 * @ingroup rdma-scenario
 * @brief Decides when a run is over although events go on: at a stall, at a precision or at a time.
 *
 * All ranks have the same state when they ask, and so get the same answer.
 */
class RunDecider
{
  public:
    /// @param precision looks at flows that have ended; outlives this
    /// @param stallLimit how long nothing may progress; @param endAt TICK_NEVER: at no time
    /// @param isDeadlocked whether what does not progress never will: then the run stalls within
    /// the limit. Called on all ranks or on none. Null: it is not known
    RunDecider(PrecisionWatch& precision,
               Tick stallLimit,
               Tick now,
               Tick endAt,
               std::function<bool()> isDeadlocked = nullptr);

    /// @return before which time Decide() is to be called; TICK_NEVER: no more.
    Tick GetNextTime() const;

    /// No work is under way, and nothing happens before a time: a stall is not looked for until
    /// then.
    void SkipIdle(Tick until)
    {
        m_watch.SkipIdle(until);
    }

    /// All events before GetNextTime() have run. @param hasMore whether anything may still start
    /// @return false: the run is over
    bool Decide(const WindowState& all, bool hasMore);

    bool IsStalled() const
    {
        return m_isStalled;
    }

    /// @return whether a decision has ended the run, and not its last flow or a request.
    bool IsDecided() const
    {
        return m_isDecided;
    }

    /// @return when it did.
    Tick GetEnd() const
    {
        return m_end;
    }

  private:
    bool LookForStall(const WindowState& all, bool hasActive);

    PrecisionWatch& m_precision;
    StallWatch m_watch;
    std::function<bool()> m_isDeadlocked;
    Tick m_endAt;
    Tick m_end{0};
    bool m_isStalled{false};
    bool m_isDecided{false};
};

} // namespace ns3::rdma

#endif // RDMA_RUN_DECIDER_H
