// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_CHECKED_SCHEDULER_H
#define RDMA_CHECKED_SCHEDULER_H

#include "ns3/fetch-lines.h"
#include "ns3/policy-error.h"
#include "ns3/send-schedulers.h"

#include <type_traits>

namespace ns3::rdma
{

/**
 * @ingroup rdma-nic
 * @brief A port's SendScheduler: counts the queue pairs that wait in it and checks its answers.
 *
 * Calls of a RoundRobinScheduler, the default, are not virtual.
 */
class CheckedScheduler
{
  public:
    explicit CheckedScheduler(Ptr<SendScheduler> scheduler);

    /// @return how many numbers are in the scheduler.
    uint32_t CountWaiting() const
    {
        return m_waiting;
    }

    [[gnu::always_inline]] void Add(uint32_t queuePair, Tick readyAt, Tick now)
    {
        ++m_waiting;
        Call("Add()", [&](auto& scheduler) { scheduler.Add(queuePair, readyAt, now); });
    }

    void Advance(uint32_t queuePair, Tick readyAt)
    {
        Call("Advance()", [&](auto& scheduler) { scheduler.Advance(queuePair, readyAt); });
    }

    std::optional<uint32_t> Pick(Tick now)
    {
        const auto number = Call("Pick()", [&](auto& scheduler) { return scheduler.Pick(now); });
        if (number)
        {
            if (m_waiting == 0)
            {
                FailPick("none while no queue pair waits", *number);
            }
            --m_waiting;
        }
        return number;
    }

    Tick GetNextReady(Tick now) const
    {
        const Tick nextReady =
            Call("GetNextReady()", [now](auto& scheduler) { return scheduler.GetNextReady(now); });
        if (nextReady < now || (nextReady == TICK_NEVER) != (m_waiting == 0))
        {
            FailNextReady("now or later, and never if and only if no queue pair waits",
                          nextReady,
                          now);
        }
        return nextReady;
    }

    /// A queue pair in the scheduler is about to be destroyed, or to send by another port: its
    /// number stays in the scheduler.
    void Leave()
    {
        m_hasGone = true;
    }

    /// Checks a number from Pick() that belongs to no scheduled queue pair.
    void CheckGone(uint32_t number) const
    {
        if (!m_hasGone)
        {
            FailPick("a queue pair that waits", number);
        }
    }

    [[noreturn, gnu::cold, gnu::noinline]] void FailPick(const char* expected,
                                                         uint32_t number) const;
    [[noreturn, gnu::cold, gnu::noinline]] void FailNextReady(const char* expected,
                                                              Tick nextReady,
                                                              Tick now) const;

    /// Prefetches the memory that Pick() reads.
    [[gnu::always_inline]] void Fetch() const
    {
        FetchLines<2>(PeekPointer(m_scheduler));
    }

  private:
    /// @param body takes the scheduler, or the RoundRobinLine to which it passes the call
    template <typename Body>
    [[gnu::always_inline]] std::invoke_result_t<Body, SendScheduler&> Call(const char* call,
                                                                           Body body) const
    {
        return m_isRoundRobin
                   ? body(static_cast<RoundRobinScheduler*>(PeekPointer(m_scheduler))->GetLine())
                   : CallPolicy(*m_scheduler, call, [&] { return body(*m_scheduler); });
    }

    Ptr<SendScheduler> m_scheduler;
    uint32_t m_waiting{0};
    bool m_isRoundRobin;   ///< Its class is RoundRobinScheduler, not a subclass.
    bool m_hasGone{false}; ///< Leave() was called.
};

} // namespace ns3::rdma

#endif // RDMA_CHECKED_SCHEDULER_H
