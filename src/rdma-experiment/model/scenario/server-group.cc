// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/server-group.h"

#include "ns3/name-suggestion.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace ns3::rdma
{

namespace
{
constexpr uint64_t MAX_SERVER{1'000'000}; ///< Bounds what a range can list.

struct Range
{
    uint32_t first;
    uint32_t last;
};

uint32_t
ReadServer(const JsonValue& value)
{
    return static_cast<uint32_t>(value.GetWhole(0, MAX_SERVER));
}

Range
ReadRange(const JsonValue& value)
{
    const std::vector<JsonValue> ends = value.GetElements();
    if (ends.size() != 2)
    {
        value.Fail("[first, last]");
    }
    const Range range{ReadServer(ends.front()), ReadServer(ends.back())};
    if (range.last < range.first)
    {
        value.Fail("[first, last] with first not above last");
    }
    return range;
}

bool
IsPairOfNumbers(const JsonValue& value)
{
    const nlohmann::json& json = value.GetJson();
    return json.is_array() && json.size() == 2 && json[0].is_number() && json[1].is_number();
}

std::vector<Range>
ReadRanges(const JsonValue& value)
{
    if (IsPairOfNumbers(value))
    {
        return {ReadRange(value)};
    }
    std::vector<Range> ranges;
    value.ForEachElement([&ranges](const JsonValue& element) {
        if (element.GetJson().is_array())
        {
            ranges.push_back(ReadRange(element));
            return;
        }
        const uint32_t server = ReadServer(element);
        ranges.push_back({server, server});
    });
    return ranges;
}

nlohmann::ordered_json
WriteRanges(const std::vector<uint32_t>& group)
{
    auto ranges = nlohmann::ordered_json::array();
    for (const uint32_t server : group)
    {
        if (!ranges.empty() && ranges.back()[1] == server - 1)
        {
            ranges.back()[1] = server;
            continue;
        }
        ranges.push_back(nlohmann::ordered_json::array({server, server}));
    }
    return ranges;
}

std::vector<uint32_t>
ReadServers(const JsonValue& value)
{
    std::vector<uint32_t> servers;
    for (const Range& range : ReadRanges(value))
    {
        for (uint32_t server = range.first; server <= range.last; ++server)
        {
            servers.push_back(server);
        }
    }
    if (servers.empty())
    {
        value.Fail("at least one server");
    }
    std::sort(servers.begin(), servers.end());
    return servers;
}

void
VisitServerGroup(Keys& keys, const char* name, std::vector<uint32_t>& group)
{
    const auto read = [&group](const JsonValue& value, const KeySpec&) {
        group = ReadServers(value);
    };
    keys.Other(name,
               {read, [&group](const KeySpec&) { return WriteRanges(group); }},
               "numbers of servers and ranges [first, last]")
        .Shape(R"({"type": "array", "minItems": 1, "items": {"anyOf": [
                   {"type": "integer", "minimum": 0}, {"type": "array", "minItems": 2,
                    "maxItems": 2, "items": {"type": "integer", "minimum": 0}}]}})");
}

/// No server is in two groups, or twice in one.
void
CheckServersOnce(const ServerGroups& groups, const JsonValue& value)
{
    std::map<uint32_t, std::string> groupOf;
    for (const auto& [name, group] : groups)
    {
        for (const uint32_t server : group)
        {
            const auto [place, isNew] = groupOf.emplace(server, name);
            if (!isNew)
            {
                value.Get(name).Fail("each server at most once in all groups",
                                     "server " + std::to_string(server) + ", which is in \"" +
                                         place->second + "\" already");
            }
        }
    }
}
} // namespace

KeyContext
MakeContext(const ServerGroups& groups)
{
    return {[&groups](const JsonValue& group) { return ReadGroupName(group, groups); }};
}

void
VisitServerGroups(Keys& keys, ServerGroups& groups)
{
    keys.Map("groups", groups, VisitServerGroup, "servers by the name of their group")
        .Then([&groups](const JsonValue& value) { CheckServersOnce(groups, value); });
}

ServerGroups
ReadServerGroups(const JsonValue& value)
{
    ServerGroups groups;
    ReadKey(value, "groups", [&groups](Keys& keys) { VisitServerGroups(keys, groups); });
    return groups;
}

void
CheckServerGroups(const ServerGroups& groups, const TopologyGraph& graph, const JsonValue& value)
{
    for (const auto& [name, group] : groups)
    {
        for (const uint32_t server : group)
        {
            const bool isThere = server < graph.isSwitch.size();
            if (!isThere || graph.isSwitch[server])
            {
                const std::string got = isThere ? graph.GetNodeName(server)
                                                : std::to_string(server) + ", which is not there";
                value.Get(name).Fail("servers of the topology, which has " +
                                         std::to_string(graph.GetServerCount()),
                                     got);
            }
        }
    }
}

void
CheckGroupName(const std::string& name, const ServerGroups& groups, const JsonValue& value)
{
    if (groups.count(name) == 0)
    {
        std::vector<std::string> known;
        for (const auto& [other, servers] : groups)
        {
            known.push_back(other);
        }
        value.Fail("a group of $.groups (" + DescribeNearest(name, known) + ")",
                   nlohmann::json(name).dump());
    }
}

std::string
ReadGroupName(const JsonValue& value, const ServerGroups& groups)
{
    if (!value.GetJson().is_string())
    {
        value.Fail("the name of a group of $.groups, such as \"mine\" with \"groups\": "
                   "{\"mine\": [0, 15]}");
    }
    const std::string name = value.GetString();
    CheckGroupName(name, groups, value);
    return name;
}

std::vector<uint32_t>
FindMembers(const ServerGroups& groups, const std::string& name)
{
    return name.empty() ? std::vector<uint32_t>() : groups.at(name);
}

} // namespace ns3::rdma
