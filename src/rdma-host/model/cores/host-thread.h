// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_HOST_THREAD_H
#define RDMA_HOST_THREAD_H

#include "ns3/host-account.h"

namespace ns3::rdma
{

class HostThread;

/// What a thread does: a state machine that is called whenever its last step is over.
class HostProgram
{
  public:
    virtual ~HostProgram() = default;

    /**
     * @brief The thread has its core, and the time that it spent last has passed.
     *
     * Makes the effects of the step that ends now (a post, a poll), and decides on the next one:
     * calls Spend(), and Sleep(), Spin() or End() if it shall not continue when that time has
     * passed.
     */
    virtual void Continue(HostThread& thread) = 0;
};

/**
 * @ingroup rdma-host
 * @brief A thread: its account, and what it does next.
 *
 * HostCores runs it.  A step is not interrupted by other threads, only by interrupts.
 */
class HostThread
{
  public:
    /// @param program outlives the thread; @param number of the host's threads, from 0
    HostThread(HostProgram& program, uint32_t number, uint32_t core);

    /// Takes time of the core, in the step that is decided on now.
    void Spend(HostTask task, Tick time);

    /// When the time that was spent has passed, the thread blocks until it is notified; not at all
    /// if it has been since it was woken last.
    void Sleep();

    /// When the time that was spent has passed, the thread repeats something until Unspin(), at
    /// full use of its core. @param period of one repetition, above 0
    void Spin(HostTask task, Tick period);

    /// When the time that was spent has passed, the thread is over.
    void End();

    /// @return whether the thread has slept before this step, not just asked whether to.
    bool HasSlept() const
    {
        return m_hasSlept;
    }

    /// @return how long a line of its data takes, where other threads have left it.
    Tick GetLineTime() const
    {
        return m_lineTime;
    }

    /// @return whether a notification has come since it was woken last: it will not sleep.
    bool IsNotified() const
    {
        return m_isNotified;
    }

    /// @return how long a line takes that it uses each time it runs, when others have run since.
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

    /// @return what it was given so far, the step under way as a whole: see HostCores::GetUse().
    const HostAccount& GetAccount() const
    {
        return m_account;
    }

    /// @return times that it slept.
    uint64_t GetSleeps() const
    {
        return m_sleeps;
    }

    /// @return interrupts for it; the handler of each takes HostCosts::Interrupt.
    uint64_t GetInterrupts() const
    {
        return m_interrupts;
    }

    /// @return times that its core turned to it from another thread.
    uint64_t GetSwitches() const
    {
        return m_switches;
    }

  private:
    friend class HostCores;

    enum class State
    {
        SLEEPING,
        READY,    ///< Waits for its core.
        RUNNING,  ///< A step is under way.
        SPINNING, ///< On its core until Unspin() or the end of its time slice.
        ENDED,
    };

    /// What follows when the time spent has passed.
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
    Tick m_step{0}; ///< Spent in the step that is decided on or under way.
    Tick m_lineTime{0};
    Tick m_switchLineTime{0};
    Tick m_spinFrom{0};
    Tick m_spinPeriod{0};
    HostTask m_spinTask{HostTask::POLL};
    State m_state{State::SLEEPING};
    Then m_then{Then::CONTINUE};
    bool m_isNotified{false};
    bool m_hasSlept{true};
    bool m_isIdle{false}; ///< READY: lost its core while it spun, and nothing has come since.
    uint64_t m_sleeps{0};
    uint64_t m_switches{0};
    uint64_t m_interrupts{0};
};

} // namespace ns3::rdma

#endif // RDMA_HOST_THREAD_H
