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
    uint64_t roundBytes{0}; ///< That it goes round: its rings.
    uint64_t turnBytes{0};  ///< Of these, that it touches each time it runs.
};

/**
 * @ingroup rdma-host
 * @brief The cores of one host: runs its threads, one at a time on each core.
 *
 * Threads are bound to cores, round robin in the order in which they are added.  A core has a queue
 * of threads that are ready, first come first served; a thread gives its core up when it sleeps, or
 * when its time slice is over and another one waits.  When a core turns to another thread than it
 * ran last, that gets back the lines that the others displaced since: what each touches in a turn,
 * not all of its rings.  The switch itself takes time after a time slice; that of a thread which
 * sleeps is a part of going to sleep and waking up.
 *
 * Notify() is an interrupt on the thread's core: an idle core leaves its idle state first, a
 * running thread is held up by the handler, whose time is the core's and no thread's, as
 * CLOCK_THREAD_CPUTIME_ID does not count it (CONFIG_IRQ_TIME_ACCOUNTING).
 *
 * HostNoise takes cores away: Interrupt() and Preempt().
 *
 * Not modelled: migration, priorities, wake-up preemption, hyper-threads, frequencies, deeper idle
 * states and the caches that they flush, moderation of interrupts.
 */
class HostCores : public Object, private EventTarget
{
  public:
    static TypeId GetTypeId();

    /// @return the classes whose attributes describe a host's cores: this one, costs and caches.
    static std::vector<TypeId> GetPartTypes();

    ~HostCores() override;

    /// Once, before any thread. @param engine of the simulation
    void Start(std::shared_ptr<FabricEngine> engine,
               Ptr<const HostCosts> costs,
               Ptr<const CacheHierarchy> caches);

    /// Adds a thread, which sleeps. @param program outlives this
    HostThread& AddThread(HostProgram& program, ThreadFootprint footprint);

    /// Delivers an interrupt to a thread: it wakes up, or does not sleep the next time.
    void Notify(HostThread& thread);

    /// As Notify(), at a time from now on: a timer of the kernel.
    void NotifyAt(HostThread& thread, Tick when);

    /// A handler of an interrupt that is for none of the threads takes the core if a thread is in a
    /// step there.
    void Interrupt(uint32_t core, Tick time);

    /// As Interrupt(), a thread of another program: interrupts are handled meanwhile.
    void Preempt(uint32_t core, Tick time);

    /// The event that a spinning thread polls for has occurred: it continues at the end of the
    /// repetition.
    void Unspin(HostThread& thread);

    /**
     * From now on a spinning thread yields its core only if an event is pending for one of the
     * ready threads. Called at the end of the load: idle threads would otherwise take time
     * slices of their core without end. The order in which the threads of a core find late
     * messages is an approximation after this call.
     */
    void StopIdleSlices();

    /// @return time that a thread had its core until now, as
    /// clock_gettime(CLOCK_THREAD_CPUTIME_ID): without what is left of its step.
    Tick GetUse(const HostThread& thread) const;

    /// @return what a thread has spent by task, the step under way as a whole.
    HostAccount GetAccount(const HostThread& thread) const;

    /// @return time of a core in handlers of interrupts, no thread's.
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

    /// @return in the order of AddThread().
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
        SLICE,  ///< A spinning thread's time slice is over. Argument: core.
    };

    struct Core
    {
        HostThread* running{nullptr};
        const HostThread* last{nullptr}; ///< That ran last; may be running.
        std::deque<HostThread*> ready;
        Tick stepEnd{0};
        Tick sliceFrom{0};
        Tick interruptUntil{0}; ///< A handler runs until then.
        Tick preemptedUntil{0}; ///< A thread of another program runs until then.
        Tick interruptTime{0};
        uint64_t roundBytes{0}; ///< ThreadFootprint, of all its threads.
        uint64_t turnBytes{0};  ///< Likewise, with the lines of a switch.
    };

    void DoDispose() override;
    void HandleEvent(uint32_t kind, uint32_t argument) override;
    /// @return whether a thread is in a step, which takes so much longer then.
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
    /// @return whether a thread that spins on the core must give way when its time slice is over.
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
    bool m_hasNewThreads{false}; ///< Line times are to be found anew.
    bool m_hasIdleSlices{true};  ///< Idle threads get their time slices, too.
    uint32_t m_target{0};
};

} // namespace ns3::rdma

#endif // RDMA_HOST_CORES_H
