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

/// Target of fabric events: ports, switches, NICs.
class EventTarget
{
  public:
    virtual ~EventTarget() = default;

    /**
     * @param kind what happens, one of the target's own numbers below FabricEngine::KINDS
     * @param argument as given to FabricEngine::Schedule()
     */
    virtual void HandleEvent(uint32_t kind, uint32_t argument) = 0;

    /// @return the type that an event is about, for messages. Default: the target's own.
    virtual std::string GetEventType(uint32_t kind, uint32_t argument) const;
};

/**
 * @ingroup rdma-engine
 * @brief Clock and event queue of the packet path.
 *
 * Owned by FabricSimulatorImpl, where events are 16-byte records in a calendar.  Under any other
 * SimulatorImpl (real-time, say) the same calls become plain Simulator::Schedule(): slower, same
 * model; ties of time then follow ns-3's order of insertion.
 */
class FabricEngine
{
  public:
    /// Kinds of event that one target may have.
    static constexpr uint32_t KINDS{8};

    /// @return the engine of the running Simulator, made on first use.
    static std::shared_ptr<FabricEngine> Get();

    /// @param isNative whether FabricSimulatorImpl drains this engine's own calendar
    explicit FabricEngine(bool isNative);

    /// Adds a receiver. Not owned; @return its id, rising in order of registration.
    uint32_t Register(EventTarget* target);

    /// Forgets a receiver: events still under way for it are dropped.
    void Unregister(uint32_t target);

    /// Adds ids for which no events come, only memory that frames lead to. @return the first one
    uint32_t RegisterPrefetches(uint32_t count);

    /// @param target of RegisterPrefetches(); @param memory what to fetch: two cache lines; null:
    /// nothing
    void SetPrefetch(uint32_t target, void* memory);

    /// @return what was set; null: nothing. @param target of RegisterPrefetches()
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

    /**
     * @param when not before Now()
     * @param owner from MakeOwner()
     * @param argument handed to the target
     */
    void Schedule(Tick when, uint32_t owner, uint32_t argument)
    {
        if (m_isNative)
        {
            m_calendar.Push({when, owner, argument});
        }
        else
        {
            ScheduleInSimulator(when, owner, argument);
        }
    }

    /**
     * @brief Says where the things are that arguments mostly number, so that they can be fetched
     * early.
     *
     * @param base of an array of readable memory; @param stride bytes of one element
     * @param count of elements, a power of two.  The first word of an element may hold a target to
     * which handling the event leads: it is fetched too.
     */
    void SetArgumentMemory(const void* base, std::size_t stride, uint32_t count)
    {
        m_argumentBase = static_cast<const char*>(base);
        m_argumentStride = stride;
        m_argumentMask = count - 1;
    }

    /// The memory given last is about to go.
    void ForgetArgumentMemory();

    /// @return the target of its events; the null target if it was unregistered. @param target from
    /// Register()
    EventTarget* GetTarget(uint32_t target) const
    {
        return m_targets[target];
    }

    /// Events of a target go to another receiver from now on.
    void Redirect(uint32_t target, EventTarget* receiver)
    {
        m_targets[target] = receiver;
    }

    /// Sizes the calendar for a load. Only while it is empty; @param eventsPerNs expected, all
    /// owners; @param horizon up to where most events are scheduled: later ones cost more
    void Tune(double eventsPerNs, Tick horizon);

    /// Moves the clock to the earliest event before a limit and handles it. @return false if there
    /// is none.
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
     * @brief Handles coming events and counts them by type, for a run that does not get on.
     * @param count at most so many @return the type of most of them, and its share
     */
    std::string FindBusiest(uint32_t count);

    /// @return when the earliest event comes; TICK_NEVER if there is none. Looks through a slot.
    Tick GetNextTime() const
    {
        return m_calendar.GetNextTime();
    }

    bool IsEmpty() const
    {
        return m_calendar.IsEmpty();
    }

  private:
    void Dispatch(uint32_t owner, uint32_t argument)
    {
        m_targets[owner / KINDS]->HandleEvent(owner % KINDS, argument);
    }

    /// Starts loading what coming events need: with thousands of ports and frames nearly every
    /// event would wait for memory several times, each time for where the last one points.
    [[gnu::always_inline]] void Prepare() const
    {
        constexpr std::ptrdiff_t FIRST{EventCalendar::LOOKAHEAD - 1};
        constexpr std::ptrdiff_t SECOND{FIRST / 2};
        constexpr std::size_t LINES{2}; // Of a target: what most events need.
        if (m_calendar.GetInOrder() <= FIRST)
        {
            return;
        }
        // Branch-free: these branches would mispredict.
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
    void ScheduleInSimulator(Tick when, uint32_t owner, uint32_t argument);

    bool m_isNative;
    Tick m_now{0};
    EventCalendar m_calendar;
    EventTarget* m_nullTarget;
    /// By id, up to a power of two: those not in use are the null target.
    std::vector<EventTarget*> m_targets;
    uint32_t m_targetCount{0};
    uint32_t m_targetMask{0};
    const char* m_argumentBase{nullptr}; ///< At first one element of nothing.
    std::size_t m_argumentStride{0};
    uint32_t m_argumentMask{0};
};

} // namespace ns3::rdma

#endif // RDMA_FABRIC_ENGINE_H
