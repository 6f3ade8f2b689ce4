// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/link-changes.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{

/// Of link 0's end a; away from the streams of other parts.
constexpr uint64_t FIRST_STREAM{0x6661756c00000000ULL};

} // namespace

LinkChanges::LinkChanges(const std::vector<LinkEvent>& events, uint64_t seed, Fabric& fabric)
    : m_events(events),
      m_seed(seed),
      m_fabric(fabric)
{
    const bool hasFlaps = std::any_of(events.begin(), events.end(), [](const LinkEvent& event) {
        return event.flap.has_value();
    });
    if (hasFlaps)
    {
        m_target = fabric.GetCore().engine->Register(this);
    }
    for (uint32_t place = 0; place < events.size(); ++place)
    {
        const LinkEvent& event = events[place];
        event.flap ? ScheduleFlap(ToTick(event.at), FAIL, place) : ScheduleOnce(event);
    }
}

LinkChanges::~LinkChanges()
{
    if (m_target)
    {
        m_fabric.GetCore().engine->Unregister(*m_target);
    }
}

void
LinkChanges::ScheduleOnce(const LinkEvent& event)
{
    Simulator::Schedule(event.at, [this, &event] {
        event.loss ? ChangeLoss(event) : SetState(event, *event.state);
    });
    if (event.routesAfter > Time(0))
    {
        Simulator::Schedule(event.at + event.routesAfter, [this] { m_fabric.UpdateRoutes(); });
    }
}

void
LinkChanges::ScheduleFlap(Tick when, Event kind, uint32_t place)
{
    m_fabric.GetCore().engine->Schedule(when, FabricEngine::MakeOwner(*m_target, kind), place);
}

void
LinkChanges::HandleEvent(uint32_t kind, uint32_t argument)
{
    ++m_handled;
    const LinkEvent& event = m_events[argument];
    switch (kind)
    {
    case FAIL:
        SetState(event, *event.state);
        Fail(argument);
        break;
    case RECOVER:
        SetState(event, LinkState::UP);
        break;
    default:
        m_fabric.UpdateRoutes();
    }
}

bool
LinkChanges::IsUpkeep(uint32_t, uint32_t argument) const
{
    // A run ends although links flap for ever.
    return !m_events[argument].flap->until;
}

void
LinkChanges::Fail(uint32_t place)
{
    const LinkEvent& event = m_events[place];
    const Tick now = m_fabric.GetCore().engine->Now();
    const Tick up = now + ToTick(event.flap->down);
    const Tick next = now + ToTick(event.flap->period);
    ScheduleFlap(up, RECOVER, place);
    if (event.routesAfter > Time(0))
    {
        ScheduleFlap(now + ToTick(event.routesAfter), ROUTE, place);
        ScheduleFlap(up + ToTick(event.routesAfter), ROUTE, place);
    }
    if (!event.flap->until || next < ToTick(*event.flap->until))
    {
        ScheduleFlap(next, FAIL, place);
    }
}

void
LinkChanges::SetState(const LinkEvent& event, LinkState state)
{
    const std::vector<GraphLink>& links = m_fabric.GetGraph().links;
    for (std::size_t link = 0; link < links.size(); ++link)
    {
        if (event.Matches(m_fabric.GetGraph(), links[link]))
        {
            SetLinkState(link, event, state);
        }
    }
}

void
LinkChanges::SetLinkState(std::size_t link, const LinkEvent& event, LinkState state)
{
    const TopologyGraph& graph = m_fabric.GetGraph();
    for (uint32_t end = 0; end < 2; ++end)
    {
        const bool isCut =
            state == LinkState::HALF_OPEN && event.link->Matches(graph, graph.links[link], end);
        if (isCut || m_faults.count(2 * link + end) > 0)
        {
            GetFault(link, end).SetCut(isCut);
        }
    }
    const bool isUp = state != LinkState::DOWN;
    // Half-open links are up for both ends: if they are already, nothing has happened.
    if (state == LinkState::HALF_OPEN && m_fabric.GetLinkPort(link, 0).IsLinkUp())
    {
        return;
    }
    event.routesAfter > Time(0) ? m_fabric.SetLinkUpOnly(link, isUp)
                                : m_fabric.SetLinkUp(link, isUp);
}

void
LinkChanges::ChangeLoss(const LinkEvent& event)
{
    const std::vector<GraphLink>& links = m_fabric.GetGraph().links;
    for (std::size_t link = 0; link < links.size(); ++link)
    {
        for (uint32_t end = 0; end < 2 && event.Matches(m_fabric.GetGraph(), links[link]); ++end)
        {
            GetFault(link, end).ChangeLoss(event.loss->from,
                                           event.loss->to,
                                           ToTick(event.loss->over));
        }
    }
}

LinkFault&
LinkChanges::GetFault(std::size_t link, uint32_t end)
{
    Ptr<LinkFault>& fault = m_faults[2 * link + end];
    if (!fault)
    {
        FabricPort& port = m_fabric.GetLinkPort(link, end);
        fault = CreateObject<LinkFault>(*m_fabric.GetCore().engine,
                                        Ptr<LossModel>(port.GetLossModel()));
        fault->SetStream(RandomStream(m_seed, FIRST_STREAM + 2 * link + end));
        port.SetLossModel(fault);
    }
    return *fault;
}

} // namespace ns3::rdma
