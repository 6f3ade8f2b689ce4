// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/dragonfly-topology.h"

#include "ns3/topology-check.h"

namespace ns3::rdma
{

namespace
{

/// More than two links within groups, which a minimal route may have.
constexpr uint8_t GLOBAL_COST{3};

} // namespace

TopologyGraph
MakeDragonfly(const DragonflyParameters& parameters)
{
    const uint64_t pairs = uint64_t{parameters.groups} * (parameters.groups - 1) / 2;
    CheckSize(uint64_t{parameters.groups} * parameters.a * parameters.p,
              uint64_t{parameters.groups} * parameters.a,
              uint64_t{parameters.groups} * parameters.a * (parameters.a - 1) / 2 + pairs);
    const uint32_t switches = parameters.groups * parameters.a;
    const uint32_t servers = switches * parameters.p;
    TopologyGraph graph;
    graph.isSwitch.assign(servers, false);
    graph.isSwitch.resize(servers + switches, true);
    for (uint32_t server = 0; server < servers; ++server)
    {
        const uint32_t own = servers + server / parameters.p;
        graph.links.push_back({server, own, parameters.hostRate, parameters.localDelay});
    }
    for (uint32_t one = 0; one < switches; ++one)
    {
        for (uint32_t other = one + 1; other % parameters.a != 0; ++other)
        {
            graph.links.push_back(
                {servers + one, servers + other, parameters.localRate, parameters.localDelay});
        }
    }
    for (uint32_t one = 0; one < parameters.groups; ++one)
    {
        for (uint32_t other = one + 1; other < parameters.groups; ++other)
        {
            // Group "other" is number other - 1 among the others of group "one".
            const uint32_t from = one * parameters.a + (other - 1) / parameters.h;
            const uint32_t to = other * parameters.a + one / parameters.h;
            GraphLink link{servers + from,
                           servers + to,
                           parameters.globalRate,
                           parameters.globalDelay};
            link.cost = GLOBAL_COST;
            graph.links.push_back(link);
        }
    }
    CheckTopology(graph, "dragonfly");
    return graph;
}

} // namespace ns3::rdma
