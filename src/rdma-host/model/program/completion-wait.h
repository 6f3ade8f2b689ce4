// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_COMPLETION_WAIT_H
#define RDMA_COMPLETION_WAIT_H

#include "ns3/host-cores.h"
#include "ns3/stream-settings.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-program
 * @brief How a thread waits for completions: the part of a program that depends on the polling
 * mode.
 *
 * Event-driven, as the thesis describes it (section 2.4.7): get the notification, acknowledge it,
 * arm, then poll until there is nothing left, or only once, as qperf does (linux-rdma/qperf,
 * src/rdma.c).
 */
class CompletionWait
{
  public:
    /// @param isSolicitedOnly whether only solicited completions notify. All outlive this.
    CompletionWait(HostCores& cores,
                   const StreamSettings& settings,
                   Ptr<CompletionQueue> queue,
                   bool isSolicitedOnly);
    ~CompletionWait();

    /// The thread that waits. Before anything else; outlives this.
    void SetThread(HostThread& thread);

    /// Arms the queue without taking time. @param isWaiting whether the thread sleeps until the
    /// first notification
    void ArmAtStart(bool isWaiting);

    /// The queue is empty: ends the thread's step; the thread continues when that has changed.
    void Wait(HostThread& thread);

    /**
     * @brief Whether the thread has waited: spends the time that it takes to continue.
     * @return true: the step is decided on; false: there is nothing to do, poll
     */
    bool Resume(HostThread& thread);

    /// Ends the thread's step until it is notified, of completions or of something else.
    void Sleep(HostThread& thread);

    /// The thread continues after its own Sleep(), whatever notified it: spends the time of that.
    /// EVENT_ONCE: it polls then, too.
    void WakeUp(HostThread& thread);

    /// @return whether a notification makes the thread look for completions.
    bool IsEventDriven() const;

    /// @return whether the thread shall poll now; EVENT_ONCE: the first time since a notification.
    bool TakePoll();

    /// @return completions to ask for in a call; EVENT_ONCE: all. @param usual of the other modes
    uint32_t GetBatch(uint32_t usual) const;

  private:
    enum class State
    {
        POLLING,
        WAITING,
        ARMING, ///< The step that arms the queue is under way.
    };

    void OnNotified();
    void Arm();
    /// INTERVAL, after the load: when the thread would look for the first time from now on.
    Tick GetNextLook() const;

    HostCores& m_cores;
    const StreamSettings& m_settings;
    Ptr<CompletionQueue> m_queue;
    bool m_isSolicitedOnly;
    State m_state{State::POLLING};
    bool m_isArmed{false}; ///< Event-driven: a notification will come.
    bool m_mayPoll{false}; ///< EVENT_ONCE: has not polled since the queue was armed.
    Tick m_lookedAt{0};    ///< INTERVAL: when the queue was found empty last.
    HostThread* m_thread{nullptr};
};

} // namespace ns3::rdma

#endif // RDMA_COMPLETION_WAIT_H
