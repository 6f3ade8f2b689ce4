// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/topology-check.h"

#include "ns3/input-error.h"

#include <algorithm>
#include <map>
#include <utility>

namespace ns3::rdma
{

namespace
{

/// Throws an InputError; where is the argument of CheckTopology().
[[noreturn]] void
Fail(const std::string& where, const std::string& expected, const std::string& got)
{
    throw InputError(where + ": expected " + expected + ", got " + got);
}

void
CheckLink(const TopologyGraph& graph, const GraphLink& link, const std::string& where)
{
    const size_t nodes = graph.GetIdCount();
    if (link.a >= nodes || link.b >= nodes)
    {
        Fail(where,
             "links between nodes 0 to " + std::to_string(nodes - 1),
             "node " + std::to_string(std::max(link.a, link.b)));
    }
    const std::string name =
        "the link between " + graph.GetNodeName(link.a) + " and " + graph.GetNodeName(link.b);
    if (link.a == link.b)
    {
        Fail(where, "links between two different nodes", graph.GetNodeName(link.a) + " twice");
    }
    if (link.rate.GetBitRate() == 0)
    {
        Fail(where, "a rate above zero for " + name, "0bps");
    }
    if (link.delay.IsStrictlyNegative())
    {
        Fail(where, "a delay of zero or more for " + name, "a negative one");
    }
    if (link.cost == 0)
    {
        Fail(where, "a cost above zero for " + name, "0");
    }
    if (!(link.lossRate >= 0 && link.lossRate < 1))
    {
        Fail(where, "a loss rate in [0, 1) for " + name, std::to_string(link.lossRate));
    }
}

void
CheckServerPorts(const TopologyGraph& graph, const std::string& where)
{
    std::vector<uint32_t> linkCount(graph.GetIdCount(), 0);
    for (const GraphLink& link : graph.links)
    {
        ++linkCount[link.a];
        ++linkCount[link.b];
    }
    for (const uint32_t server : graph.GetEndpoints())
    {
        if (linkCount[server] != 1)
        {
            const std::string count = linkCount[server] == 0 ? "none (it is disconnected)"
                                                             : std::to_string(linkCount[server]);
            Fail(where, "exactly one link for " + graph.GetNodeName(server), count);
        }
    }
}

/// @return by id: whether it is reachable from start.
std::vector<bool>
FindReachable(const TopologyGraph& graph, uint32_t start)
{
    std::vector<std::vector<uint32_t>> neighbors(graph.GetIdCount());
    for (const GraphLink& link : graph.links)
    {
        neighbors[link.a].push_back(link.b);
        neighbors[link.b].push_back(link.a);
    }
    std::vector<bool> isReached(graph.GetIdCount(), false);
    std::vector<uint32_t> open{start};
    isReached[start] = true;
    while (!open.empty())
    {
        const uint32_t node = open.back();
        open.pop_back();
        for (const uint32_t neighbor : neighbors[node])
        {
            if (!isReached[neighbor])
            {
                isReached[neighbor] = true;
                open.push_back(neighbor);
            }
        }
    }
    return isReached;
}

} // namespace

void
CheckSize(uint64_t servers, uint64_t switches, uint64_t switchLinks)
{
    const auto check = [](const char* what, uint64_t count, uint64_t most) {
        if (count > most)
        {
            throw InputError("expected at most " + std::to_string(most) + ' ' + what + ", got " +
                             std::to_string(count));
        }
    };
    check("servers", servers, MAX_MADE_SERVERS);
    check("switches", switches, MAX_MADE_SWITCHES);
    check("links between switches", switchLinks, MAX_MADE_SWITCH_LINKS);
}

void
CheckTopology(const TopologyGraph& graph, const std::string& where)
{
    const std::vector<uint32_t> servers = graph.GetServers();
    if (servers.size() < 2)
    {
        Fail(where, "at least two servers", std::to_string(servers.size()));
    }
    for (const GraphLink& link : graph.links)
    {
        CheckLink(graph, link, where);
    }
    CheckServerPorts(graph, where);
    // Each endpoint has one link, so that no path leads through an endpoint and reachability in the
    // graph is sufficient.
    // By port: start, and the ids reachable from it.
    std::map<uint32_t, std::pair<uint32_t, std::vector<bool>>> reached;
    for (const uint32_t id : graph.GetEndpoints())
    {
        const uint32_t port = graph.GetEndpoint(id).port;
        if (reached.count(port) == 0)
        {
            reached[port] = {id, FindReachable(graph, id)};
        }
        const auto& [first, isReached] = reached[port];
        if (!isReached[id])
        {
            Fail(where,
                 "a path between all servers",
                 "none from " + graph.GetNodeName(first) + " to " + graph.GetNodeName(id) +
                     " (disconnected)");
        }
    }
}

std::vector<uint64_t>
GetServerRates(const TopologyGraph& graph)
{
    std::vector<uint64_t> rates(graph.isSwitch.size(), 0);
    for (const GraphLink& link : graph.links)
    {
        for (const uint32_t id : {link.a, link.b})
        {
            if (!graph.IsSwitch(id))
            {
                rates[graph.GetEndpoint(id).server] += link.rate.GetBitRate();
            }
        }
    }
    return rates;
}

} // namespace ns3::rdma
