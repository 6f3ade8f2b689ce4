// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/route-computation.h"

#include <deque>
#include <limits>

namespace ns3::rdma
{

namespace
{

constexpr uint32_t UNREACHED{std::numeric_limits<uint32_t>::max()};

/// A switch-to-switch link as one end sees it.
struct Edge
{
    uint32_t peer; ///< Switch number.
    uint16_t port;
};

/// The graph reduced to its switches.
struct SwitchGraph
{
    std::vector<uint32_t> numbers;        ///< By node id; UNREACHED for servers.
    std::vector<std::vector<Edge>> edges; ///< By switch number, ports rising.
};

SwitchGraph
Reduce(const TopologyGraph& graph,
       const std::vector<bool>& isLinkUp,
       std::vector<Attachment>& attachments)
{
    SwitchGraph reduced;
    uint32_t switches = 0;
    for (const bool isSwitch : graph.isSwitch)
    {
        reduced.numbers.push_back(isSwitch ? switches++ : UNREACHED);
    }
    reduced.edges.resize(switches);
    attachments.assign(graph.isSwitch.size(), {});
    std::vector<uint16_t> nextPort(graph.isSwitch.size(), 0);
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
            reduced.edges[a].push_back({b, portA});
            reduced.edges[b].push_back({a, portB});
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

/// @return hops from every switch to the given one.
std::vector<uint32_t>
MeasureDistances(const SwitchGraph& graph, uint32_t destination)
{
    std::vector<uint32_t> distance(graph.edges.size(), UNREACHED);
    std::deque<uint32_t> frontier{destination};
    distance[destination] = 0;
    while (!frontier.empty())
    {
        const uint32_t here = frontier.front();
        frontier.pop_front();
        for (const Edge& edge : graph.edges[here])
        {
            if (distance[edge.peer] == UNREACHED)
            {
                distance[edge.peer] = distance[here] + 1;
                frontier.push_back(edge.peer);
            }
        }
    }
    return distance;
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
        table.groups.resize(count);
    }
    std::vector<bool> isDestination(count, false);
    for (const Attachment& attachment : routes.attachments)
    {
        if (attachment.switchNumber != Attachment::NOWHERE)
        {
            isDestination[attachment.switchNumber] = true;
        }
    }
    for (uint32_t destination = 0; destination < count; ++destination)
    {
        if (!isDestination[destination])
        {
            continue;
        }
        const auto distance = MeasureDistances(switches, destination);
        for (uint32_t here = 0; here < count; ++here)
        {
            RouteTable& table = routes.tables[here];
            PortGroup& group = table.groups[destination];
            group.first = static_cast<uint32_t>(table.ports.size());
            for (const Edge& edge : switches.edges[here])
            {
                if (distance[here] != UNREACHED && distance[edge.peer] + 1 == distance[here])
                {
                    table.ports.push_back(edge.port);
                }
            }
            group.count = static_cast<uint32_t>(table.ports.size()) - group.first;
        }
    }
    return routes;
}

} // namespace ns3::rdma
