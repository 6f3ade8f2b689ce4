// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/fabric-engine.h"

#include "ns3/abort.h"
#include "ns3/fabric-simulator-impl.h"

#include <cmath>

namespace ns3::rdma
{

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
        engine->Register(nullptr); // Id 0 belongs to ns-3's own events, as in the native engine.
        external = engine;
    }
    return engine;
}

uint32_t
FabricEngine::Register(EventTarget* target)
{
    m_targets.push_back(target);
    return static_cast<uint32_t>(m_targets.size() - 1);
}

void
FabricEngine::Unregister(uint32_t target)
{
    m_targets[target] = nullptr;
}

void
FabricEngine::Tune(double eventsPerNs)
{
    NS_ABORT_MSG_UNLESS(m_calendar.IsEmpty(), "the calendar can only be sized while it is empty");
    // Wide slots: the lines that are being filled, one per slot, fit into the cache next to a core,
    // and prefetching sees far ahead.  The calendar splits a slot before it sorts it. The ring
    // spans at least 4 us, so that frames on 1 us links never take the heap.
    constexpr double EVENTS_PER_SLOT{48};
    constexpr double SPAN_PS{4e6};
    const double width = EVENTS_PER_SLOT / std::max(eventsPerNs, 1e-3) * 1000;
    const auto shift = static_cast<uint32_t>(std::clamp(std::log2(width), 6.0, 14.0));
    uint32_t slots = 1024;
    while (std::ldexp(static_cast<double>(slots), static_cast<int>(shift)) < SPAN_PS)
    {
        slots *= 2;
    }
    m_calendar = EventCalendar(shift, slots);
}

void
FabricEngine::ScheduleInSimulator(Tick when, uint32_t owner, uint32_t argument)
{
    Simulator::Schedule(PicoSeconds(when) - Simulator::Now(),
                        &FabricEngine::Dispatch,
                        this,
                        owner,
                        argument);
}

} // namespace ns3::rdma
