// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_HOST_THREAD_H
#define RDMA_HOST_THREAD_H

#include "ns3/host-account.h"

namespace ns3::rdma
{

class HostThread;

/// Work of a thread: a state machine that is called after each step.
class HostProgram
{
  public:
    virtual ~HostProgram() = default;

    /**
     * @brief Called when the thread has its core and its last step has ended.
     *
     * Applies the effects of the ended step (a post, a poll) and decides the next one.  It calls
     * Spend(), and also Sleep(), Spin() or End() unless the thread continues after the next step.
     */
    virtual void Continue(HostThread& thread) = 0;
};

/**
 * @ingroup rdma-host
 * @brief A thread that HostCores runs: its account and its next step.
 *
 * Other HostThreads do not preempt a step; interrupts and HostNoise lengthen it.
 */
class HostThread
{
  public:
    /// @param program outlives the thread
    /// @param number of the thread within the host, from 0
    HostThread(HostProgram& program, uint32_t number, uint32_t core);

    /// Adds core time to the next step.
    void Spend(HostTask task, Tick time);

    /// After the next step, the thread blocks until it is notified. It does not block if a
    /// notification is pending.
    void Sleep();

    /// After the next step, the thread repeats a task until Unspin(), at full use of its core.
    /// @param period of one repetition, above 0
    void Spin(HostTask task, Tick period);

    /// After the next step, the thread ends.
    void End();

    /// @return whether the thread blocked before this step; Sleep() does not always block.
    bool HasSlept() const
    {
        return m_hasSlept;
    }

    /// @return the access time of one cache line of the thread's data.
    Tick GetLineTime() const
    {
        return m_lineTime;
    }

    /// @return whether a notification is pending: the next Sleep() does not block.
    bool IsNotified() const
    {
        return m_isNotified;
    }

    /// @return the access time of a cache line that the thread reloads after a context switch.
    Tick GetSwitchLineTime() const
    {
        return m_switchLineTime;
    }

    uint32_t GetNumber() const
    {
        return m_number;
    }

    uint32_t GetCore() const
    {
        return m_core;
    }

    bool HasEnded() const
    {
        return m_state == State::ENDED;
    }

    /// @return core time by task, with the whole current step and without the current spin.
    const HostAccount& GetAccount() const
    {
        return m_account;
    }

    /// @return how often Sleep() has blocked the thread.
    uint64_t GetSleeps() const
    {
        return m_sleeps;
    }

    /// @return interrupts for the thread; the handler of each takes HostCosts::Interrupt.
    uint64_t GetInterrupts() const
    {
        return m_interrupts;
    }

    /// @return context switches of its core from another thread to this one.
    uint64_t GetSwitches() const
    {
        return m_switches;
    }

  private:
    friend class HostCores;

    enum class State
    {
        SLEEPING,
        READY,    ///< In the queue of its core.
        RUNNING,  ///< In a step.
        SPINNING, ///< On its core until Unspin() or the end of its time slice.
        ENDED,
    };

    /// Action at the end of a step.
    enum class Then
    {
        CONTINUE,
        SLEEP,
        SPIN,
        END,
    };

    HostProgram& m_program;
    uint32_t m_number;
    uint32_t m_core;
    HostAccount m_account;
    Tick m_step{0}; ///< Core time of the next or current step.
    Tick m_lineTime{0};
    Tick m_switchLineTime{0};
    Tick m_spinFrom{0};
    Tick m_spinPeriod{0};
    HostTask m_spinTask{HostTask::POLL};
    State m_state{State::SLEEPING};
    Then m_then{Then::CONTINUE};
    bool m_isNotified{false};
    bool m_hasSlept{true};
    bool m_isIdle{false}; ///< READY: lost its core while it spun, and no Unspin() has followed.
    uint64_t m_sleeps{0};
    uint64_t m_switches{0};
    uint64_t m_interrupts{0};
};

} // namespace ns3::rdma

#endif // RDMA_HOST_THREAD_H
