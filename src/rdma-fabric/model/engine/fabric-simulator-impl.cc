// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/fabric-simulator-impl.h"

#include "ns3/assert.h"
#include "ns3/global-value.h"
#include "ns3/policy-error.h"
#include "ns3/register-type.h"
#include "ns3/string.h"

#include <limits>

namespace ns3::rdma
{

RDMA_REGISTER_CLASS(FabricSimulatorImpl, SimulatorImpl, "RdmaFabric");

namespace
{
/// Owner of all of ns-3's events: the smallest, so that they run first at equal time.
constexpr uint32_t NS3_OWNER{0};
} // namespace

void
UseFabricSimulator()
{
    if (Time::GetResolution() != Time::PS)
    {
        Time::SetResolution(Time::PS);
    }
    GlobalValue::Bind("SimulatorImplementationType",
                      StringValue(FabricSimulatorImpl::GetTypeId().GetName()));
}

FabricSimulatorImpl::FabricSimulatorImpl()
    : m_engine(std::make_shared<FabricEngine>(true)),
      m_nextUid(EventId::UID::VALID),
      m_currentContext(Simulator::NO_CONTEXT)
{
    [[maybe_unused]] const uint32_t id = m_engine->Register(this);
    NS_ASSERT_MSG(FabricEngine::MakeOwner(id, 0) == NS3_OWNER, "ns-3's events must be owner 0");
}

FabricSimulatorImpl::~FabricSimulatorImpl() = default;

void
FabricSimulatorImpl::DoDispose()
{
    m_engine->Unregister(NS3_OWNER);
    m_waiting.clear();
    SimulatorImpl::DoDispose();
}

void
FabricSimulatorImpl::Destroy()
{
    while (!m_destroyEvents.empty())
    {
        Ptr<EventImpl> event = m_destroyEvents.front().PeekEventImpl();
        m_destroyEvents.pop_front();
        if (!event->IsCancelled())
        {
            event->Invoke();
        }
    }
}

void
FabricSimulatorImpl::Run()
{
    RunBefore(TICK_NEVER);
}

bool
FabricSimulatorImpl::RunBefore(Tick limit)
{
    m_isStopped = false;
    m_limit = limit; // Stop() moves it into the past.
    FabricEngine& engine = *m_engine;
    while (engine.RunOne(m_limit))
    {
        if (--m_untilBeat == 0)
        {
            m_untilBeat = HEARTBEAT_EVENTS;
            ++m_beats;
            if (m_heartbeat)
            {
                m_heartbeat();
            }
        }
    }
    return !m_isStopped;
}

bool
FabricSimulatorImpl::Beat()
{
    m_isStopped = false;
    if (m_heartbeat)
    {
        m_heartbeat();
    }
    return !m_isStopped;
}

void
FabricSimulatorImpl::SetHeartbeat(std::function<void()> heartbeat)
{
    m_heartbeat = std::move(heartbeat);
}

void
FabricSimulatorImpl::HandleEvent(uint32_t, uint32_t index)
{
    ++m_ns3EventCount;
    Ptr<EventImpl> event = m_waiting[index].event;
    m_currentUid = m_waiting[index].uid;
    m_currentContext = m_waiting[index].context;
    m_waiting[index].event = nullptr;
    m_free.push_back(index);
    event->Invoke();
    m_currentContext = Simulator::NO_CONTEXT;
}

std::string
FabricSimulatorImpl::GetEventType(uint32_t, uint32_t index) const
{
    return GetClassName(typeid(*PeekPointer(m_waiting[index].event)));
}

EventId
FabricSimulatorImpl::Insert(uint32_t context, const Time& delay, EventImpl* event)
{
    NS_ASSERT_MSG(!delay.IsStrictlyNegative(), "an event cannot be scheduled in the past");
    if (m_free.empty())
    {
        m_free.push_back(static_cast<uint32_t>(m_waiting.size()));
        m_waiting.emplace_back();
    }
    const uint32_t index = m_free.back();
    m_free.pop_back();
    const uint32_t uid = m_nextUid++;
    const Tick when = m_engine->Now() + delay.GetTimeStep();
    m_waiting[index] = {Ptr<EventImpl>(event, false), context, uid};
    m_engine->Schedule(when, NS3_OWNER, index);
    return EventId(m_waiting[index].event, static_cast<uint64_t>(when), context, uid);
}

bool
FabricSimulatorImpl::IsFinished() const
{
    return m_isStopped || m_engine->IsEmpty();
}

void
FabricSimulatorImpl::Stop()
{
    m_isStopped = true;
    m_limit = std::numeric_limits<Tick>::min();
}

FabricSimulatorImpl::StopResult
FabricSimulatorImpl::Stop(const Time& delay)
{
    return static_cast<StopResult>(Simulator::Schedule(delay, &Simulator::Stop));
}

EventId
FabricSimulatorImpl::Schedule(const Time& delay, EventImpl* event)
{
    return Insert(GetContext(), delay, event);
}

void
FabricSimulatorImpl::ScheduleWithContext(uint32_t context, const Time& delay, EventImpl* event)
{
    Insert(context, delay, event);
}

EventId
FabricSimulatorImpl::ScheduleNow(EventImpl* event)
{
    return Insert(GetContext(), Time(0), event);
}

EventId
FabricSimulatorImpl::ScheduleDestroy(EventImpl* event)
{
    EventId id(Ptr<EventImpl>(event, false),
               static_cast<uint64_t>(m_engine->Now()),
               Simulator::NO_CONTEXT,
               EventId::UID::DESTROY);
    m_destroyEvents.push_back(id);
    m_nextUid++;
    return id;
}

void
FabricSimulatorImpl::Remove(const EventId& id)
{
    if (id.GetUid() == EventId::UID::DESTROY)
    {
        m_destroyEvents.remove(id);
        return;
    }
    // The record stays in the calendar and has no effect: removing it would need a search.
    Cancel(id);
}

void
FabricSimulatorImpl::Cancel(const EventId& id)
{
    if (!IsExpired(id))
    {
        id.PeekEventImpl()->Cancel();
    }
}

bool
FabricSimulatorImpl::IsExpired(const EventId& id) const
{
    if (!id.PeekEventImpl() || id.PeekEventImpl()->IsCancelled())
    {
        return true;
    }
    if (id.GetUid() == EventId::UID::DESTROY)
    {
        for (const EventId& waiting : m_destroyEvents)
        {
            if (waiting == id)
            {
                return false;
            }
        }
        return true;
    }
    const auto now = static_cast<uint64_t>(m_engine->Now());
    return id.GetTs() < now || (id.GetTs() == now && id.GetUid() <= m_currentUid);
}

Time
FabricSimulatorImpl::Now() const
{
    return TimeStep(static_cast<uint64_t>(m_engine->Now()));
}

Time
FabricSimulatorImpl::GetDelayLeft(const EventId& id) const
{
    return IsExpired(id) ? TimeStep(0)
                         : TimeStep(id.GetTs() - static_cast<uint64_t>(m_engine->Now()));
}

Time
FabricSimulatorImpl::GetMaximumSimulationTime() const
{
    return TimeStep(0x7fffffffffffffffULL);
}

void
FabricSimulatorImpl::SetScheduler(ObjectFactory)
{
}

uint32_t
FabricSimulatorImpl::GetSystemId() const
{
    return 0;
}

uint32_t
FabricSimulatorImpl::GetContext() const
{
    return m_currentContext;
}

uint64_t
FabricSimulatorImpl::GetEventCount() const
{
    return m_beats * HEARTBEAT_EVENTS + (HEARTBEAT_EVENTS - m_untilBeat);
}

} // namespace ns3::rdma
