// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/link-event-keys.h"

#include "ns3/quantity.h"

#include <limits>
#include <nlohmann/json.hpp>

namespace ns3::rdma
{

std::vector<LinkEvent>
ReadLinkEvents(const JsonValue& value)
{
    std::vector<LinkEvent> events;
    for (const JsonValue& entry : value.GetElements())
    {
        const auto node = entry.Find("switch");
        entry.ExpectKeys(
            node ? std::vector<std::string>{"at", "switch", "state", "routesAfter"}
                 : std::vector<std::string>{"at", "link", "nic", "port", "state", "routesAfter"});
        LinkEvent event;
        event.at = entry.Get("at").GetTime();
        if (node)
        {
            constexpr uint64_t MAX_NODE{std::numeric_limits<uint32_t>::max()};
            event.node = static_cast<uint32_t>(node->GetWhole(0, MAX_NODE));
        }
        else
        {
            event.link = ReadLinkName(entry);
        }
        event.isUp = entry.Get("state").GetChoice({"down", "up"}) == "up";
        if (const auto after = entry.Find("routesAfter"))
        {
            event.routesAfter = after->GetTime();
        }
        events.push_back(event);
    }
    return events;
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
            CheckLinkName(events[i].link, graph, entries[i]);
        }
        else if (!graph.IsSwitch(*events[i].node))
        {
            const JsonValue node = entries[i].Get("switch");
            node.Fail("the node id of a switch", node.GetJson().dump());
        }
    }
}

nlohmann::ordered_json
WriteLinkEvents(const std::vector<LinkEvent>& events)
{
    auto json = nlohmann::ordered_json::array();
    for (const LinkEvent& event : events)
    {
        nlohmann::ordered_json entry{{"at", FormatTime(event.at)}};
        if (event.node)
        {
            entry["switch"] = *event.node;
        }
        else
        {
            WriteLinkName(event.link, entry);
        }
        entry["state"] = event.isUp ? "up" : "down";
        if (event.routesAfter > Time(0))
        {
            entry["routesAfter"] = FormatTime(event.routesAfter);
        }
        json.push_back(entry);
    }
    return json;
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
