// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FABRIC_SIMULATOR_IMPL_H
#define RDMA_FABRIC_SIMULATOR_IMPL_H

#include "ns3/fabric-engine.h"
#include "ns3/simulator-impl.h"

#include <functional>
#include <list>
#include <memory>
#include <utility>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-engine
 * @brief ns-3 simulator whose queue is FabricEngine's calendar.
 *
 * It is selected by the global value SimulatorImplementationType or by UseFabricSimulator().
 * ns-3's own events are in the same calendar as the fabric's records, with owner 0: at equal time
 * they run first, in the order in which they were scheduled.  The clock counts picoseconds.
 *
 * Not modelled: scheduling from other threads, other Schedulers (SetScheduler() is ignored).
 */
class FabricSimulatorImpl : public SimulatorImpl, private EventTarget
{
  public:
    /// EventId from ns-3 3.41 on, void in older versions.
    using StopResult = decltype(std::declval<SimulatorImpl&>().Stop(std::declval<const Time&>()));

    static TypeId GetTypeId();
    FabricSimulatorImpl();
    ~FabricSimulatorImpl() override;

    const std::shared_ptr<FabricEngine>& GetEngine() const
    {
        return m_engine;
    }

    /// @param heartbeat called every HEARTBEAT_EVENTS events; empty turns it off
    void SetHeartbeat(std::function<void()> heartbeat);

    /// Runs all events before a limit, until none is left or Stop() is called.
    /// @return false if Stop() was called
    bool RunBefore(Tick limit);

    /// Calls the heartbeat at once, for a caller that runs no events for some time.
    /// @return false if it called Stop()
    bool Beat();

    void Destroy() override;
    bool IsFinished() const override;
    void Stop() override;
    StopResult Stop(const Time& delay) override;
    EventId Schedule(const Time& delay, EventImpl* event) override;
    void ScheduleWithContext(uint32_t context, const Time& delay, EventImpl* event) override;
    EventId ScheduleNow(EventImpl* event) override;
    EventId ScheduleDestroy(EventImpl* event) override;
    void Remove(const EventId& id) override;
    void Cancel(const EventId& id) override;
    bool IsExpired(const EventId& id) const override;
    void Run() override;
    Time Now() const override;
    Time GetDelayLeft(const EventId& id) const override;
    Time GetMaximumSimulationTime() const override;
    void SetScheduler(ObjectFactory schedulerFactory) override;
    uint32_t GetSystemId() const override;
    uint32_t GetContext() const override;
    uint64_t GetEventCount() const override;

    /// @return the number of ns-3's own events that have run.
    uint64_t GetNs3EventCount() const
    {
        return m_ns3EventCount;
    }

  private:
    /// A pending event of ns-3; the argument of its record in the calendar is its index.
    struct Waiting
    {
        Ptr<EventImpl> event;
        uint32_t context{0};
        uint32_t uid{0};
    };

    static constexpr uint64_t HEARTBEAT_EVENTS{1U << 16}; ///< A few milliseconds of wall time.

    void DoDispose() override;
    void HandleEvent(uint32_t kind, uint32_t index) override;
    std::string GetEventType(uint32_t kind, uint32_t index) const override;
    EventId Insert(uint32_t context, const Time& delay, EventImpl* event);

    std::shared_ptr<FabricEngine> m_engine;
    std::vector<Waiting> m_waiting; ///< By index; m_free lists the unused indices.
    std::vector<uint32_t> m_free;
    std::list<EventId> m_destroyEvents;
    bool m_isStopped{false};
    uint32_t m_nextUid;
    uint32_t m_currentUid{0}; ///< Uid of the last ns-3 event that ran.
    uint32_t m_currentContext;
    Tick m_limit{TICK_NEVER};               ///< Of RunBefore(); in the past after Stop().
    uint64_t m_beats{0};                    ///< HEARTBEAT_EVENTS events each.
    uint64_t m_untilBeat{HEARTBEAT_EVENTS}; ///< Events until the next one.
    uint64_t m_ns3EventCount{0};
    std::function<void()> m_heartbeat;
};

/// Selects FabricSimulatorImpl and the resolution of picoseconds. Call this before any object is
/// created.
void UseFabricSimulator();

} // namespace ns3::rdma

#endif // RDMA_FABRIC_SIMULATOR_IMPL_H
