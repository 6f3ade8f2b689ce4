// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/fabric-engine.h"

#include "ns3/abort.h"
#include "ns3/fabric-simulator-impl.h"
#include "ns3/policy-error.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace ns3::rdma
{

namespace
{
/// Null target of unregistered ids: events that are still pending for them are dropped.
class NullTarget : public EventTarget
{
    void HandleEvent(uint32_t, uint32_t) override
    {
    }

    bool IsUpkeep(uint32_t, uint32_t) const override
    {
        return true;
    }
};

NullTarget g_nullTarget;
constexpr uint64_t NO_ARGUMENT{0};
} // namespace

std::string
EventTarget::GetEventType(uint32_t, uint32_t) const
{
    return GetClassName(typeid(*this));
}

bool
EventTarget::IsUpkeep(uint32_t, uint32_t) const
{
    return false;
}

FabricEngine::FabricEngine(bool isNative)
    : m_isNative(isNative),
      m_nullTarget(&g_nullTarget),
      m_targets(1, &g_nullTarget)
{
    g_hasPicosecondSteps = Time::GetResolution() == Time::PS;
    ForgetArgumentMemory();
    if (!m_isNative)
    {
        m_calendar.Close();
    }
}

void
FabricEngine::ForgetArgumentMemory()
{
    SetArgumentMemory(&NO_ARGUMENT, 0, 1);
}

std::shared_ptr<FabricEngine>
FabricEngine::Get()
{
    if (auto native = DynamicCast<FabricSimulatorImpl>(Simulator::GetImplementation()))
    {
        return native->GetEngine();
    }
    static std::weak_ptr<FabricEngine> external;
    auto engine = external.lock();
    if (!engine)
    {
        engine = std::make_shared<FabricEngine>(false);
        engine->Register(
            &g_nullTarget); // Id 0 belongs to ns-3's own events, as in the native engine.
        external = engine;
    }
    return engine;
}

uint32_t
FabricEngine::Register(EventTarget* target)
{
    if (m_targetCount == m_targets.size())
    {
        m_targets.resize(2 * m_targets.size(), &g_nullTarget);
        m_targetMask = static_cast<uint32_t>(m_targets.size() - 1);
    }
    m_targets[m_targetCount] = target;
    return m_targetCount++;
}

uint32_t
FabricEngine::RegisterPrefetches(uint32_t count)
{
    const uint32_t first = m_targetCount;
    for (uint32_t i = 0; i < count; ++i)
    {
        Register(&g_nullTarget);
    }
    return first;
}

void
FabricEngine::SetPrefetch(uint32_t target, void* memory)
{
    // Only the address is used: no event has this target.
    m_targets[target] = memory ? static_cast<EventTarget*>(memory) : m_nullTarget;
}

void
FabricEngine::Unregister(uint32_t target)
{
    m_targets[target] = &g_nullTarget;
}

void
FabricEngine::Tune(double eventsPerNs, Tick horizon)
{
    NS_ABORT_MSG_UNLESS(m_calendar.IsEmpty(), "the calendar can only be sized while it is empty");
    // Few enough to be sorted by rank cheaply, and enough to amortize the cost of taking a slot.
    constexpr double EVENTS_PER_SLOT{32};
    const double width = EVENTS_PER_SLOT / std::max(eventsPerNs, 1e-3) * 1000;
    const auto shift = static_cast<uint32_t>(std::clamp(std::log2(width), 6.0, 14.0));
    uint32_t slots = 64;
    constexpr uint32_t MAX_SLOTS{1U << 16}; // Later events are FarEvents.
    // Seven eighths of the ring always take events.
    while (slots < MAX_SLOTS && (int64_t{slots} * 7 / 8) << shift <= horizon)
    {
        slots *= 2;
    }
    m_calendar = EventCalendar(shift, slots);
    if (!m_isNative)
    {
        m_calendar.Close();
    }
}

std::string
FabricEngine::FindBusiest(uint32_t count)
{
    std::map<std::string, uint32_t> counts;
    uint32_t handled = 0;
    EventRecord event;
    for (; handled < count && m_calendar.Pop(event); ++handled)
    {
        m_now = event.time;
        const EventTarget& target = *m_targets[event.owner / KINDS];
        ++counts[target.GetEventType(event.owner % KINDS, event.argument)];
        Dispatch(event.owner, event.argument);
    }
    const auto busiest =
        std::max_element(counts.begin(), counts.end(), [](const auto& left, const auto& right) {
            return left.second < right.second;
        });
    return busiest == counts.end() ? "none"
                                   : busiest->first + " (" + std::to_string(busiest->second) +
                                         " of " + std::to_string(handled) + ")";
}

bool
FabricEngine::HasWork() const
{
    return m_calendar.HasAny([this](uint32_t owner, uint32_t argument) {
        return !m_targets[owner / KINDS]->IsUpkeep(owner % KINDS, argument);
    });
}

Tick
FabricEngine::GetSimulatorTime() const
{
    return Simulator::Now().GetPicoSeconds();
}

void
FabricEngine::ScheduleElsewhere(Tick when, uint32_t owner, uint32_t argument)
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

void
FabricEngine::DispatchInSimulator(uint32_t owner, uint32_t argument)
{
    m_now = GetSimulatorTime();
    Dispatch(owner, argument);
}

void
FabricEngine::ScheduleInSimulator(Tick when, uint32_t owner, uint32_t argument)
{
    Simulator::Schedule(PicoSeconds(when) - Simulator::Now(),
                        &FabricEngine::DispatchInSimulator,
                        this,
                        owner,
                        argument);
}

} // namespace ns3::rdma
