// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/link-event-keys.h"

#include <array>
#include <nlohmann/json.hpp>

namespace ns3::rdma
{

void
VisitLinkEvent(Keys& keys, LinkEvent& event)
{
    static constexpr std::array<std::pair<const char*, bool>, 2> STATES{
        {{"down", false}, {"up", true}}};
    keys.Time("at", event.at, "when the state changes").Required();
    keys.Count("switch", event.node, "node id of a switch: all of its links");
    VisitLinkName(keys, event.link, !event.node, !event.node);
    keys.Choice("state", event.isUp, STATES, "state from then on").Required();
    keys.Time("routesAfter", event.routesAfter, "time until the routes of the switches follow")
        .OmitIf(event.routesAfter.IsZero());
}

void
CheckLinkEvents(const std::vector<LinkEvent>& events,
                const TopologyGraph& graph,
                const JsonValue& value)
{
    const std::vector<JsonValue> entries = value.GetElements();
    for (std::size_t i = 0; i < events.size(); ++i)
    {
        if (!events[i].node)
        {
            CheckLinkName(*events[i].link, graph, entries[i]);
        }
        else if (!graph.IsSwitch(*events[i].node))
        {
            const JsonValue node = entries[i].Get("switch");
            node.Fail("the node id of a switch", node.GetJson().dump());
        }
    }
}

void
ApplyLinkEvent(const LinkEvent& event, Fabric& fabric)
{
    const std::vector<GraphLink>& links = fabric.GetGraph().links;
    for (std::size_t link = 0; link < links.size(); ++link)
    {
        if (event.Matches(fabric.GetGraph(), links[link]))
        {
            event.routesAfter > Time(0) ? fabric.SetLinkUpOnly(link, event.isUp)
                                        : fabric.SetLinkUp(link, event.isUp);
        }
    }
}

} // namespace ns3::rdma
