// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_HOST_CORES_H
#define RDMA_HOST_CORES_H

#include "ns3/cache-hierarchy.h"
#include "ns3/fabric-engine.h"
#include "ns3/host-costs.h"
#include "ns3/host-thread.h"

#include <deque>
#include <memory>
#include <vector>

namespace ns3::rdma
{

/// Data of a thread, bytes.
struct ThreadFootprint
{
    uint64_t roundBytes{0}; ///< Accessed cyclically, such as its rings.
    uint64_t turnBytes{0};  ///< The part that it accesses each time it runs.
};

/**
 * @ingroup rdma-host
 * @brief Runs the threads of one host, one at a time on each core.
 *
 * Threads are bound to cores round-robin in the order of AddThread().  A core has a FIFO queue of
 * ready threads.  A thread yields its core when it sleeps or ends.  It also yields if its time
 * slice has expired and another thread is ready.  After a switch, a thread reloads SwitchLines
 * cache lines.  Their access time follows from the data that threads access per turn, not from
 * whole rings.  A thread that resumes after its time slice also takes HostCosts::ContextSwitch.
 * For a thread that slept, Sleep and WakeUp include the switch.
 *
 * Notify() is an interrupt on the thread's core.  An idle core first leaves its idle state; on a
 * busy core, the handler delays the current step.  The handler's time counts for no thread, as in
 * CLOCK_THREAD_CPUTIME_ID with CONFIG_IRQ_TIME_ACCOUNTING.
 *
 * HostNoise lengthens steps by Interrupt() and Preempt().
 *
 * Not modelled: migration, priorities, wake-up preemption, hyper-threads, frequencies, deeper idle
 * states and their cache flushes, interrupt moderation.
 */
class HostCores : public Object, private EventTarget
{
  public:
    static TypeId GetTypeId();

    /// @return the classes whose attributes describe a host's cores.
    static std::vector<TypeId> GetPartTypes();

    ~HostCores() override;

    /// Called once, before AddThread().
    void Start(std::shared_ptr<FabricEngine> engine,
               Ptr<const HostCosts> costs,
               Ptr<const CacheHierarchy> caches);

    /// Adds a sleeping thread.
    /// @param program outlives this object
    HostThread& AddThread(HostProgram& program, ThreadFootprint footprint);

    /// Delivers an interrupt to a thread: it wakes up, or its next Sleep() does not block.
    void Notify(HostThread& thread);

    /// As Notify(), by a timer of the kernel.
    /// @param when not before GetNow()
    void NotifyAt(HostThread& thread, Tick when);

    /// An interrupt for none of the threads: its handler lengthens the current step of the core.
    /// No effect on an idle or spinning core.
    void Interrupt(uint32_t core, Tick time);

    /// As Interrupt(), for a thread of another program: interrupts are handled meanwhile.
    void Preempt(uint32_t core, Tick time);

    /// The event that a spinning thread polls for has occurred: the thread continues at the end of
    /// its repetition.
    void Unspin(HostThread& thread);

    /**
     * After this call, a spinning thread yields its core only if an event is pending for a ready
     * thread.  Called at the end of the load: idle threads would otherwise be scheduled without
     * end.  The order in which the threads of a core detect later messages is approximate.
     */
    void StopIdleSlices();

    /// @return the core time of a thread until now, as clock_gettime(CLOCK_THREAD_CPUTIME_ID):
    /// without the rest of its step.
    Tick GetUse(const HostThread& thread) const;

    /// @return the core time of a thread by task, with the whole current step.
    HostAccount GetAccount(const HostThread& thread) const;

    /// @return the time of a core in interrupt handlers.
    Tick GetInterruptTime(uint32_t core) const;

    Tick GetNow() const
    {
        return m_engine->Now();
    }

    Tick GetTimeSlice() const
    {
        return ToTick(m_timeSlice);
    }

    uint32_t GetCoreCount() const
    {
        return static_cast<uint32_t>(m_cores.size());
    }

    const HostCosts& GetCosts() const
    {
        return *m_costs;
    }

    /// @return the threads, in the order of AddThread().
    const std::vector<std::unique_ptr<HostThread>>& GetThreads() const
    {
        return m_threads;
    }

  private:
    enum Event : uint32_t
    {
        STEP,   ///< A step ends. Argument: core.
        NOTIFY, ///< The handler of an interrupt has ended. Argument: thread.
        TIMER,  ///< An interrupt of the kernel's timer. Argument: thread.
        SLICE,  ///< The time slice of a spinning thread expires. Argument: core.
    };

    struct Core
    {
        HostThread* running{nullptr};
        const HostThread* last{nullptr}; ///< The thread that ran last; may be running.
        std::deque<HostThread*> ready;
        Tick stepEnd{0};
        Tick sliceFrom{0};
        Tick interruptUntil{0}; ///< A handler runs until then.
        Tick preemptedUntil{0}; ///< A thread of another program runs until then.
        Tick interruptTime{0};
        uint64_t roundBytes{0}; ///< ThreadFootprint, sum of its threads.
        uint64_t turnBytes{0};  ///< The same, with the lines of a switch.
    };

    void DoDispose() override;
    void HandleEvent(uint32_t kind, uint32_t argument) override;
    /// Lengthens the current step, if any.
    /// @return whether there is one
    static bool Delay(Core& core, Tick time);
    void UpdateLineTimes();
    void MakeReady(HostThread& thread);
    void Dispatch(Core& core);
    void Continue(Core& core, HostThread& thread);
    void RunStep(Core& core, HostThread& thread);
    void OnStepEnd(Core& core);
    void OnSliceEnd(Core& core);
    void OnNotified(HostThread& thread);
    void BeginSpin(Core& core, HostThread& thread);
    void ScheduleSliceEnd(Core& core);
    /// @return whether a thread that spins on the core yields it when its time slice expires.
    bool MustShare(const Core& core) const;
    void EndSpin(HostThread& thread, Tick until) const;
    void Release(Core& core, HostThread::State state);
    void Schedule(Tick when, Event event, uint32_t argument);
    uint32_t GetNumber(const Core& core) const;

    uint32_t m_coreCount{0};
    Time m_timeSlice;
    bool m_isRemote{false};

    std::shared_ptr<FabricEngine> m_engine;
    Ptr<const HostCosts> m_costs;
    Ptr<const CacheHierarchy> m_caches;
    std::vector<Core> m_cores;
    std::vector<std::unique_ptr<HostThread>> m_threads;
    bool m_hasNewThreads{false}; ///< Line times must be updated.
    bool m_hasIdleSlices{true};  ///< Idle threads get their time slices, too.
    uint32_t m_target{0};
};

} // namespace ns3::rdma

#endif // RDMA_HOST_CORES_H
