// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/rail-topology.h"

#include "ns3/topology-check.h"

namespace ns3::rdma
{

TopologyGraph
MakeRail(const RailParameters& parameters)
{
    const uint64_t railSwitches = uint64_t{parameters.groups} * parameters.rails;
    // NICs count as servers: each is an endpoint of its own.
    CheckSize(railSwitches * parameters.serversPerGroup,
              railSwitches + parameters.spines,
              railSwitches * parameters.spines * parameters.linksPerSpine);
    const uint32_t servers = parameters.groups * parameters.serversPerGroup;
    const uint32_t firstSpine = servers + static_cast<uint32_t>(railSwitches);
    TopologyGraph graph;
    graph.isSwitch.assign(servers, false);
    graph.isSwitch.resize(firstSpine + parameters.spines, true);
    for (uint32_t server = 0; server < servers; ++server)
    {
        const uint32_t firstRail = servers + server / parameters.serversPerGroup * parameters.rails;
        for (uint32_t nic = 0; nic < parameters.rails; ++nic)
        {
            const uint32_t id = nic == 0 ? server : graph.GetIdCount();
            if (nic > 0)
            {
                graph.endpoints.push_back({server, nic, 0});
            }
            graph.links.push_back({id, firstRail + nic, parameters.hostRate, parameters.hostDelay});
        }
    }
    for (uint32_t rail = servers; rail < firstSpine; ++rail)
    {
        for (uint32_t i = 0; i < parameters.spines * parameters.linksPerSpine; ++i)
        {
            const uint32_t spine = firstSpine + i / parameters.linksPerSpine;
            graph.links.push_back({rail, spine, parameters.spineRate, parameters.spineDelay});
        }
    }
    CheckTopology(graph, "rail");
    return graph;
}

} // namespace ns3::rdma
