// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/simple-topologies.h"

#include "ns3/input-error.h"
#include "ns3/topology-check.h"

namespace ns3::rdma
{

namespace
{

/// @return servers 0 .. servers - 1, then switches, without links.
TopologyGraph
MakeNodes(uint32_t servers, uint32_t switches)
{
    TopologyGraph graph;
    graph.isSwitch.assign(servers, false);
    graph.isSwitch.insert(graph.isSwitch.end(), switches, true);
    return graph;
}

/// Limits the number of servers, and with it the memory.
void
CheckServerCount(const std::string& topology, uint32_t servers, uint32_t low)
{
    constexpr uint32_t MAX_SERVERS{100'000};
    if (servers < low || servers > MAX_SERVERS)
    {
        throw InputError(topology + ": expected " + std::to_string(low) + " to " +
                         std::to_string(MAX_SERVERS) + " servers, got " + std::to_string(servers));
    }
}

} // namespace

TopologyGraph
MakeBackToBack(DataRate rate, Time delay)
{
    TopologyGraph graph = MakeNodes(2, 0);
    graph.links.push_back({0, 1, rate, delay});
    CheckTopology(graph, "back-to-back");
    return graph;
}

TopologyGraph
MakeStar(uint32_t servers, DataRate rate, Time delay)
{
    CheckServerCount("star", servers, 2);
    TopologyGraph graph = MakeNodes(servers, 1);
    for (uint32_t server = 0; server < servers; ++server)
    {
        graph.links.push_back({server, servers, rate, delay});
    }
    CheckTopology(graph, "star");
    return graph;
}

TopologyGraph
MakeDumbbell(const DumbbellParameters& parameters)
{
    CheckServerCount("dumbbell, each side", parameters.serversPerSide, 1);
    const uint32_t servers = 2 * parameters.serversPerSide;
    TopologyGraph graph = MakeNodes(servers, 2);
    for (uint32_t server = 0; server < servers; ++server)
    {
        const uint32_t side = server / parameters.serversPerSide;
        graph.links.push_back({server, servers + side, parameters.hostRate, parameters.linkDelay});
    }
    graph.links.push_back({servers, servers + 1, parameters.bottleneckRate, parameters.linkDelay});
    CheckTopology(graph, "dumbbell");
    return graph;
}

} // namespace ns3::rdma
