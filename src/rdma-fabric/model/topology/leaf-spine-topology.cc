// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/leaf-spine-topology.h"

#include "ns3/topology-check.h"

namespace ns3::rdma
{

TopologyGraph
MakeLeafSpine(const LeafSpineParameters& parameters)
{
    CheckSize(uint64_t{parameters.leaves} * parameters.serversPerLeaf,
              uint64_t{parameters.leaves} + parameters.spines,
              uint64_t{parameters.leaves} * parameters.spines * parameters.linksPerSpine);
    const uint32_t servers = parameters.leaves * parameters.serversPerLeaf;
    const uint32_t firstSpine = servers + parameters.leaves;
    TopologyGraph graph;
    graph.isSwitch.assign(servers, false);
    graph.isSwitch.resize(firstSpine + parameters.spines, true);
    for (uint32_t server = 0; server < servers; ++server)
    {
        const uint32_t leaf = servers + server / parameters.serversPerLeaf;
        graph.links.push_back({server, leaf, parameters.hostRate, parameters.hostDelay});
    }
    for (uint32_t leaf = servers; leaf < firstSpine; ++leaf)
    {
        for (uint32_t i = 0; i < parameters.spines * parameters.linksPerSpine; ++i)
        {
            const uint32_t spine = firstSpine + i / parameters.linksPerSpine;
            graph.links.push_back({leaf, spine, parameters.spineRate, parameters.spineDelay});
        }
    }
    CheckTopology(graph, "leaf-spine");
    return graph;
}

} // namespace ns3::rdma
