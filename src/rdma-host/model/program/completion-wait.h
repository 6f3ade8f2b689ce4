// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_COMPLETION_WAIT_H
#define RDMA_COMPLETION_WAIT_H

#include "ns3/host-cores.h"
#include "ns3/stream-settings.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-program
 * @brief The part of a program that depends on the polling mode: a thread's wait for completions.
 *
 * An event-driven thread gets the notification, acknowledges it, arms the queue, and polls until
 * the queue is empty (thesis, section 2.4.7).  With EVENT_ONCE it polls only once, as qperf does
 * (linux-rdma/qperf, src/rdma.c).
 */
class CompletionWait
{
  public:
    /// @param cores, settings outlive this object
    /// @param isSolicitedOnly whether only solicited completions and errors notify the thread
    CompletionWait(HostCores& cores,
                   const StreamSettings& settings,
                   Ptr<CompletionQueue> queue,
                   bool isSolicitedOnly);
    ~CompletionWait();

    /// Called first.
    /// @param thread outlives this object
    void SetThread(HostThread& thread);

    /// Arms the queue without taking time, if event-driven.
    /// @param isWaiting whether the thread sleeps until the first notification
    void ArmAtStart(bool isWaiting);

    /// Called when the queue is empty: decides the next step according to the polling mode.
    void Wait(HostThread& thread);

    /**
     * @brief Called before each poll: ends a wait, if any, and spends its time.
     * @return true: the next step is decided; false: the thread polls now
     */
    bool Resume(HostThread& thread);

    /// The thread blocks after its step until any notification.
    void Sleep(HostThread& thread);

    /// Called after Sleep(): spends the time to wake up. EVENT_ONCE: permits one poll.
    void WakeUp(HostThread& thread);

    /// @return whether the mode is EVENT or EVENT_ONCE.
    bool IsEventDriven() const;

    /// @return whether the thread polls now; EVENT_ONCE: only the first call after a notification.
    bool TakePoll();

    /// @param usual limit in the other modes
    /// @return the limit of completions per poll; event-driven: all (thesis, section 5.2.2: a
    /// single call)
    uint32_t GetBatch(uint32_t usual) const;

  private:
    enum class State
    {
        POLLING,
        WAITING,
        ARMING, ///< In the step that arms the queue.
    };

    void OnNotified();
    void Arm();
    /// INTERVAL, after the load.
    /// @return the next time at which the thread would poll
    Tick GetNextLook() const;

    HostCores& m_cores;
    const StreamSettings& m_settings;
    Ptr<CompletionQueue> m_queue;
    bool m_isSolicitedOnly;
    State m_state{State::POLLING};
    bool m_isArmed{false}; ///< Event-driven: not notified since the queue was armed.
    bool m_mayPoll{false}; ///< EVENT_ONCE: has not polled since Arm() or WakeUp().
    Tick m_lookedAt{0};    ///< INTERVAL: time of the last Wait().
    HostThread* m_thread{nullptr};
};

} // namespace ns3::rdma

#endif // RDMA_COMPLETION_WAIT_H
