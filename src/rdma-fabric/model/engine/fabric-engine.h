// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FABRIC_ENGINE_H
#define RDMA_FABRIC_ENGINE_H

#include "ns3/event-calendar.h"
#include "ns3/fetch-lines.h"
#include "ns3/simulator.h"
#include "ns3/tick.h"

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// Target of fabric events: a port, a switch, a NIC.
class EventTarget
{
  public:
    virtual ~EventTarget() = default;

    /**
     * @param kind of event: a number below FabricEngine::KINDS that the target defines
     * @param argument as given to FabricEngine::Schedule()
     */
    virtual void HandleEvent(uint32_t kind, uint32_t argument) = 0;

    /// @return whether an event only keeps up the present state, such as the repetition of a pause.
    /// Such events can go on for ever. Default: no.
    virtual bool IsUpkeep(uint32_t kind, uint32_t argument) const;

    /// @return the name of the type that an event concerns, for messages. Default: the target's
    /// type.
    virtual std::string GetEventType(uint32_t kind, uint32_t argument) const;
};

/**
 * @ingroup rdma-engine
 * @brief Clock and event queue of the packet path.
 *
 * With FabricSimulatorImpl, which owns the engine, events are 16-byte records in a calendar.  With
 * any other SimulatorImpl, such as the real-time one, Schedule() calls Simulator::Schedule(): the
 * model is the same but slower, and ties of time follow ns-3's order of insertion.
 */
class FabricEngine
{
  public:
    /// Number of kinds of event that one target may have.
    static constexpr uint32_t KINDS{8};

    /// @return the engine of the running Simulator, made on first use.
    static std::shared_ptr<FabricEngine> Get();

    /// @param isNative whether FabricSimulatorImpl drains this engine's own calendar
    explicit FabricEngine(bool isNative);

    /// Adds a target, which is not owned.
    /// @return its id, rising in order of registration.
    uint32_t Register(EventTarget* target);

    /// Removes a target: its pending events are dropped.
    void Unregister(uint32_t target);

    /// Adds ids that name memory to prefetch for frames; no events are scheduled for them.
    /// @return the first id
    uint32_t RegisterPrefetches(uint32_t count);

    /// @param target from RegisterPrefetches()
    /// @param memory two cache lines to prefetch; null: nothing
    void SetPrefetch(uint32_t target, void* memory);

    /// @param target from RegisterPrefetches()
    /// @return the memory that was set; null: nothing.
    void* GetPrefetch(uint32_t target) const
    {
        EventTarget* memory = m_targets[target];
        return memory == m_nullTarget ? nullptr : memory;
    }

    static constexpr uint32_t MakeOwner(uint32_t target, uint32_t kind)
    {
        return target * KINDS + kind;
    }

    Tick Now() const
    {
        return m_isNative ? m_now : GetSimulatorTime();
    }

    /// As Now(), faster. Only while a target handles an event.
    Tick GetEventTime() const
    {
        return m_now;
    }

    /**
     * @param when not before Now()
     * @param owner from MakeOwner()
     * @param argument passed to the target
     */
    [[gnu::always_inline]] void Schedule(Tick when, uint32_t owner, uint32_t argument)
    {
        // The other function is called last, so that callers need no registers for the call.
        if (!m_calendar.TryPush(when, owner, argument))
        {
            ScheduleElsewhere(when, owner, argument);
        }
    }

    /**
     * @brief Sets the array that arguments of events usually index, so that its elements can be
     * prefetched.
     *
     * @param base of an array of readable memory
     * @param stride bytes of one element
     * @param count of elements, a power of two.  The first word of an element may hold the id of a
     * target that is used when the event is handled: this target is prefetched, too.
     */
    void SetArgumentMemory(const void* base, std::size_t stride, uint32_t count)
    {
        m_argumentBase = static_cast<const char*>(base);
        m_argumentStride = stride;
        m_argumentMask = count - 1;
    }

    /// Stops prefetching from the array, which is about to be freed.
    void ForgetArgumentMemory();

    /// @param target from Register()
    /// @return the object that handles its events; the null target if it was unregistered.
    EventTarget* GetTarget(uint32_t target) const
    {
        return m_targets[target];
    }

    /// Makes another object handle the events of a target.
    void Redirect(uint32_t target, EventTarget* receiver)
    {
        m_targets[target] = receiver;
    }

    /// Sizes the calendar for a load. Only while it is empty.
    /// @param eventsPerNs expected, of all owners
    /// @param horizon how far ahead most events are scheduled: later events cost more
    void Tune(double eventsPerNs, Tick horizon);

    /// Moves the clock to the earliest event before a limit and handles it.
    /// @return false if there is none.
    bool RunOne(Tick limit = TICK_NEVER)
    {
        EventRecord event;
        if (!m_calendar.PopBefore(limit, event))
        {
            return false;
        }
        m_now = event.time;
        Prepare();
        Dispatch(event.owner, event.argument);
        return true;
    }

    /**
     * @brief Handles the next events and counts them by type, for the diagnosis of a run without
     * progress.
     * @param count of events at most
     * @return the most frequent type, and its share
     */
    std::string FindBusiest(uint32_t count);

    /// @return the time of the earliest event; TICK_NEVER if there is none. Searches a slot.
    Tick GetNextTime() const
    {
        return m_calendar.GetNextTime();
    }

    bool IsEmpty() const
    {
        return m_calendar.IsEmpty();
    }

    /// @return whether any event is pending that is not EventTarget::IsUpkeep(). Searches all
    /// events if there is none.
    bool HasWork() const;

  private:
    void Dispatch(uint32_t owner, uint32_t argument)
    {
        m_targets[owner / KINDS]->HandleEvent(owner % KINDS, argument);
    }

    /// Prefetches the memory that the next events need.  With thousands of ports and frames nearly
    /// every event would otherwise wait for several dependent cache misses.
    [[gnu::always_inline]] void Prepare() const
    {
        constexpr std::ptrdiff_t FIRST{EventCalendar::LOOKAHEAD - 1};
        constexpr std::ptrdiff_t SECOND{FIRST / 2};
        constexpr std::size_t LINES{2}; // Part of a target that most events use.
        // Free of branches, which would often be mispredicted: if fewer events are in order, what
        // an earlier event needed is prefetched.
        const EventRecord& first = m_calendar.Peek(FIRST);
        FetchLines<LINES>(m_targets[first.owner / KINDS]);
        __builtin_prefetch(GetArgumentMemory(first.argument));
        uint32_t next;
        std::memcpy(&next, GetArgumentMemory(m_calendar.Peek(SECOND).argument), sizeof next);
        FetchLines<LINES>(m_targets[next & m_targetMask]);
    }

    const char* GetArgumentMemory(uint32_t argument) const
    {
        return m_argumentBase + (argument & m_argumentMask) * m_argumentStride;
    }

    /// Out of line, so that callers need no registers for a call.
    [[gnu::cold]] Tick GetSimulatorTime() const;
    /// As Schedule(), for events that TryPush() does not take.
    [[gnu::noinline]] void ScheduleElsewhere(Tick when, uint32_t owner, uint32_t argument);
    /// An event of ScheduleInSimulator() is due.
    void DispatchInSimulator(uint32_t owner, uint32_t argument);
    void ScheduleInSimulator(Tick when, uint32_t owner, uint32_t argument);

    bool m_isNative;
    Tick m_now{0};
    EventCalendar m_calendar;
    EventTarget* m_nullTarget;
    /// By id; the size is a power of two, and unused entries are the null target.
    std::vector<EventTarget*> m_targets;
    uint32_t m_targetCount{0};
    uint32_t m_targetMask{0};
    const char* m_argumentBase{nullptr}; ///< Initially a single zero.
    std::size_t m_argumentStride{0};
    uint32_t m_argumentMask{0};
};

} // namespace ns3::rdma

#endif // RDMA_FABRIC_ENGINE_H
