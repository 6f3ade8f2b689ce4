// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/route-computation.h"

#include "ns3/abort.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ns3::rdma
{

namespace
{

constexpr uint32_t UNREACHED{std::numeric_limits<uint32_t>::max()};

/// One direction of a link between two switches.
struct Edge
{
    uint32_t peer; ///< Switch number.
    uint16_t port;
    uint8_t cost; ///< Of the link.
};

/// The graph reduced to its switches.
struct SwitchGraph
{
    std::vector<uint32_t> numbers;        ///< By id; UNREACHED for endpoints.
    std::vector<std::vector<Edge>> edges; ///< By switch number, ports rising.
};

SwitchGraph
Reduce(const TopologyGraph& graph,
       const std::vector<bool>& isLinkUp,
       std::vector<Attachment>& attachments)
{
    SwitchGraph reduced;
    uint32_t switches = 0;
    for (uint32_t id = 0; id < graph.GetIdCount(); ++id)
    {
        reduced.numbers.push_back(graph.IsSwitch(id) ? switches++ : UNREACHED);
    }
    reduced.edges.resize(switches);
    attachments.assign(graph.GetIdCount(), {});
    std::vector<uint16_t> nextPort(graph.GetIdCount(), 0);
    for (std::size_t index = 0; index < graph.links.size(); ++index)
    {
        const GraphLink& link = graph.links[index];
        const uint16_t portA = nextPort[link.a]++;
        const uint16_t portB = nextPort[link.b]++;
        if (!isLinkUp.empty() && !isLinkUp[index])
        {
            continue;
        }
        const uint32_t a = reduced.numbers[link.a];
        const uint32_t b = reduced.numbers[link.b];
        if (a != UNREACHED && b != UNREACHED)
        {
            reduced.edges[a].push_back({b, portA, link.cost});
            reduced.edges[b].push_back({a, portB, link.cost});
        }
        else if (a != UNREACHED)
        {
            attachments[link.b] = {a, portA};
        }
        else if (b != UNREACHED)
        {
            attachments[link.a] = {b, portB};
        }
    }
    return reduced;
}

/// @return by switch: least sum of link costs to the destination (Dijkstra's algorithm with one
/// list of switches per sum, since sums are small).
std::vector<uint32_t>
MeasureDistances(const SwitchGraph& graph, uint32_t destination)
{
    std::vector<uint32_t> distance(graph.edges.size(), UNREACHED);
    std::vector<std::vector<uint32_t>> frontiers{{destination}};
    distance[destination] = 0;
    for (uint32_t sum = 0; sum < frontiers.size(); ++sum)
    {
        const std::vector<uint32_t> frontier = std::move(frontiers[sum]);
        for (const uint32_t here : frontier)
        {
            if (distance[here] != sum)
            {
                continue; // A cheaper path was found after this switch had been appended.
            }
            for (const Edge& edge : graph.edges[here])
            {
                const uint32_t further = sum + edge.cost;
                if (further < distance[edge.peer])
                {
                    distance[edge.peer] = further;
                    frontiers.resize(std::max<std::size_t>(frontiers.size(), further + 1));
                    frontiers[further].push_back(edge.peer);
                }
            }
        }
    }
    return distance;
}

/// @return the numbers of the switches that have endpoints, rising.
std::vector<uint32_t>
FindDestinations(const std::vector<Attachment>& attachments, uint32_t switches)
{
    std::vector<bool> isDestination(switches, false);
    for (const Attachment& attachment : attachments)
    {
        if (attachment.switchNumber != Attachment::ABSENT)
        {
            isDestination[attachment.switchNumber] = true;
        }
    }
    std::vector<uint32_t> destinations;
    for (uint32_t number = 0; number < switches; ++number)
    {
        if (isDestination[number])
        {
            destinations.push_back(number);
        }
    }
    return destinations;
}

/// @return the number of the group with these ports, which is added if missing.
uint16_t
FindGroup(RouteTable& table, const std::vector<uint16_t>& ports)
{
    for (std::size_t group = 0; group < table.groups.size(); ++group)
    {
        const auto first = table.ports.begin() + table.groups[group].first;
        if (std::equal(ports.begin(), ports.end(), first, first + table.groups[group].count))
        {
            return static_cast<uint16_t>(group);
        }
    }
    NS_ABORT_MSG_IF(table.groups.size() > std::numeric_limits<uint16_t>::max(),
                    "a switch has more than 65536 groups of ports of equal cost");
    table.groups.push_back(
        {static_cast<uint32_t>(table.ports.size()), static_cast<uint32_t>(ports.size())});
    table.ports.insert(table.ports.end(), ports.begin(), ports.end());
    return static_cast<uint16_t>(table.groups.size() - 1);
}

void
FindUsualGroup(RouteTable& table, const std::vector<uint32_t>& destinations)
{
    std::vector<uint32_t> counts(table.groups.size());
    for (const uint32_t destination : destinations)
    {
        ++counts[table.groupOf[destination]];
    }
    const auto most = std::max_element(counts.begin(), counts.end());
    table.usualGroup = static_cast<uint16_t>(most - counts.begin());
    for (const uint32_t destination : destinations)
    {
        if (table.groupOf[destination] != table.usualGroup)
        {
            if (table.unusualCount == 0)
            {
                table.firstUnusual = destination;
            }
            table.unusualCount = destination + 1 - table.firstUnusual;
        }
    }
}

} // namespace

Routes
ComputeRoutes(const TopologyGraph& graph, const std::vector<bool>& isLinkUp)
{
    Routes routes;
    const SwitchGraph switches = Reduce(graph, isLinkUp, routes.attachments);
    const auto count = static_cast<uint32_t>(switches.edges.size());
    routes.tables.resize(count);
    for (RouteTable& table : routes.tables)
    {
        table.groupOf.resize(count);
        table.groups.push_back({}); // Group 0: unreachable.
    }
    const std::vector<uint32_t> destinations = FindDestinations(routes.attachments, count);
    std::vector<uint16_t> ports;
    for (const uint32_t destination : destinations)
    {
        const auto distance = MeasureDistances(switches, destination);
        for (uint32_t here = 0; here < count; ++here)
        {
            ports.clear();
            for (const Edge& edge : switches.edges[here])
            {
                if (distance[here] != UNREACHED &&
                    distance[edge.peer] + edge.cost == distance[here])
                {
                    ports.push_back(edge.port);
                }
            }
            routes.tables[here].groupOf[destination] = FindGroup(routes.tables[here], ports);
        }
    }
    for (RouteTable& table : routes.tables)
    {
        FindUsualGroup(table, destinations);
    }
    return routes;
}

} // namespace ns3::rdma
