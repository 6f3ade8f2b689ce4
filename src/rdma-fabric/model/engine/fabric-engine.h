// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FABRIC_ENGINE_H
#define RDMA_FABRIC_ENGINE_H

#include "ns3/event-calendar.h"
#include "ns3/simulator.h"
#include "ns3/tick.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::rdma
{

/// Whoever is told of fabric events: ports, switches, NICs.
class EventTarget
{
  public:
    virtual ~EventTarget() = default;

    /**
     * @param kind what happens, one of the target's own numbers below FabricEngine::KINDS
     * @param argument as given to FabricEngine::Schedule()
     */
    virtual void HandleEvent(uint32_t kind, uint32_t argument) = 0;

    /// The same event comes soon: starts loading what HandleEvent() will read. Changes nothing.
    virtual void PrepareEvent(uint32_t, uint32_t)
    {
    }
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
    explicit FabricEngine(bool isNative)
        : m_isNative(isNative)
    {
    }

    /// Adds a receiver. Not owned; @return its id, rising in order of registration.
    uint32_t Register(EventTarget* target);

    /// Forgets a receiver: events still under way for it are dropped.
    void Unregister(uint32_t target);

    static constexpr uint32_t MakeOwner(uint32_t target, uint32_t kind)
    {
        return target * KINDS + kind;
    }

    Tick Now() const
    {
        return m_isNative ? m_now : Simulator::Now().GetPicoSeconds();
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

    /// Says where the things are that arguments mostly number, so that they can be fetched early.
    /// @param base of an array; @param stride bytes of one element
    void SetArgumentMemory(const void* base, std::size_t stride)
    {
        m_argumentBase = static_cast<const char*>(base);
        m_argumentStride = stride;
    }

    /// Sizes the calendar for a load. Only while it is empty; @param eventsPerNs expected, all
    /// owners
    void Tune(double eventsPerNs);

    /// Moves the clock to the earliest event and handles it. @return false if there is none.
    bool RunOne()
    {
        EventRecord event;
        if (!m_calendar.Pop(event))
        {
            return false;
        }
        m_now = event.time;
        PrefetchLater();
        Dispatch(event.owner, event.argument);
        return true;
    }

    bool IsEmpty() const
    {
        return m_calendar.IsEmpty();
    }

  private:
    void Dispatch(uint32_t owner, uint32_t argument)
    {
        EventTarget* target = m_targets[owner / KINDS];
        if (target)
        {
            target->HandleEvent(owner % KINDS, argument);
        }
    }

    /// Starts loading what later events need: with thousands of ports and frames nearly every event
    /// would wait for memory twice, for its port and for its frame.
    void PrefetchLater() const
    {
        constexpr std::size_t AHEAD{4};
        for (std::size_t place = m_calendar.IsAtSlotStart() ? 0 : AHEAD; place <= AHEAD; ++place)
        {
            EventRecord later;
            if (m_calendar.Peek(place, later))
            {
                constexpr std::size_t LINE{64};
                const auto* target = reinterpret_cast<const char*>(m_targets[later.owner / KINDS]);
                __builtin_prefetch(target);
                __builtin_prefetch(target + LINE);
                __builtin_prefetch(m_argumentBase + later.argument * m_argumentStride);
            }
        }
        EventRecord next;
        if (m_targets.size() > MANY_TARGETS && m_calendar.Peek(1, next))
        {
            if (EventTarget* target = m_targets[next.owner / KINDS])
            {
                target->PrepareEvent(next.owner % KINDS, next.argument);
            }
        }
    }

    /// From here on a fabric does not fit into the caches next to a core.
    static constexpr std::size_t MANY_TARGETS{512};

    void ScheduleInSimulator(Tick when, uint32_t owner, uint32_t argument);

    bool m_isNative;
    Tick m_now{0};
    EventCalendar m_calendar;
    std::vector<EventTarget*> m_targets; ///< By id; null when unregistered.
    const char* m_argumentBase{nullptr};
    std::size_t m_argumentStride{0};
};

} // namespace ns3::rdma

#endif // RDMA_FABRIC_ENGINE_H
