// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/link-name.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

namespace ns3::rdma
{

namespace
{

uint32_t
ReadNumber(const JsonValue& value)
{
    return static_cast<uint32_t>(value.GetWhole(0, std::numeric_limits<uint32_t>::max()));
}

/// @return the node that an end of a link is, or that it belongs to.
uint32_t
GetNode(const TopologyGraph& graph, uint32_t id)
{
    return graph.GetEndpoint(id).server;
}

/// @return whether an end is a switch, or an endpoint that is meant.
bool
IsPort(const LinkName& name, const TopologyGraph& graph, uint32_t id)
{
    const Endpoint endpoint = graph.GetEndpoint(id);
    return graph.IsSwitch(id) || ((!name.nic || *name.nic == endpoint.nic) &&
                                  (!name.port || *name.port == endpoint.port));
}

} // namespace

bool
LinkName::Matches(const TopologyGraph& graph, const GraphLink& link, uint32_t end) const
{
    const uint32_t here = end == 0 ? link.a : link.b;
    const uint32_t there = end == 0 ? link.b : link.a;
    return GetNode(graph, here) == from && (!to || GetNode(graph, there) == *to) &&
           IsPort(*this, graph, here) && IsPort(*this, graph, there);
}

bool
LinkName::IsThere(const TopologyGraph& graph) const
{
    return std::any_of(graph.links.begin(), graph.links.end(), [this, &graph](const auto& link) {
        return Matches(graph, link);
    });
}

void
VisitLinkServer(Keys& keys, std::optional<LinkName>& name, bool isUsed)
{
    const auto read = [&name](const JsonValue& value, const KeySpec&) {
        name = LinkName{ReadNumber(value)};
    };
    const auto write = [&name](const KeySpec&) {
        return name && !name->to ? nlohmann::ordered_json(name->from) : nlohmann::ordered_json();
    };
    keys.Other("server", {read, write}, "node id of a server: all of its links")
        .Shape(R"({"type": "integer", "minimum": 0})")
        .OnlyIf(isUsed, "no server beside switch");
}

void
VisitLinkName(Keys& keys, std::optional<LinkName>& name, bool isUsed, bool isRequired)
{
    const auto read = [&name](const JsonValue& value, const KeySpec&) {
        const auto ends = value.GetElements();
        if (ends.size() != 2)
        {
            value.Fail("two node ids", std::to_string(ends.size()));
        }
        name = LinkName{ReadNumber(ends[0]), ReadNumber(ends[1])};
    };
    const auto write = [&name](const KeySpec&) {
        return name && name->to ? nlohmann::ordered_json{name->from, *name->to}
                                : nlohmann::ordered_json();
    };
    keys.Other("link", {read, write}, "two nodes: all links between them")
        .Shape(R"({"type": "array", "items": {"type": "integer", "minimum": 0},
                   "minItems": 2, "maxItems": 2})")
        .OnlyIf(isUsed, "no link beside switch or server")
        .RequiredIf(isRequired);
    LinkName none;
    LinkName& restricted = name ? *name : none;
    keys.Count("nic", restricted.nic, "only the links of this NIC of the server")
        .OnlyIf(name.has_value(), "a key \"link\" or \"server\" beside nic");
    keys.Count("port", restricted.port, "only the links of this port of the NIC")
        .OnlyIf(name.has_value(), "a key \"link\" or \"server\" beside port");
}

void
CheckLinkName(const LinkName& name, const TopologyGraph& graph, const JsonValue& value)
{
    LinkName nodes{name.from, name.to};
    if (!name.to && (name.from >= graph.isSwitch.size() || graph.IsSwitch(name.from)))
    {
        const JsonValue server = value.Get("server");
        server.Fail("the node id of a server", server.GetJson().dump());
    }
    if (!nodes.IsThere(graph))
    {
        const JsonValue link = value.Get("link");
        link.Fail("two nodes with a link between them", link.GetJson().dump());
    }
    const bool isSwitchLink = name.to && graph.IsSwitch(name.from) && graph.IsSwitch(*name.to);
    for (const char* key : {"nic", "port"})
    {
        const auto number = value.Find(key);
        nodes.nic = name.nic;
        nodes.port = std::string(key) == "port" ? name.port : std::nullopt;
        if (number && (isSwitchLink || !nodes.IsThere(graph)))
        {
            number->Fail(std::string("a ") + key + " of the server that the link is at",
                         number->GetJson().dump() + ", which is not there");
        }
    }
}

} // namespace ns3::rdma
