// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/fat-tree-topology.h"

#include "ns3/input-error.h"
#include "ns3/topology-check.h"
#include "ns3/uplink-rate.h"

namespace ns3::rdma
{

namespace
{

/// SRNIC section 6.3, except for 4096 servers, which continue the pattern of 1024.
constexpr FatTreeShape SHAPES[] = {
    {1, 1, 16, 0, 0},  // 16 servers
    {1, 4, 16, 4, 0},  // 64
    {1, 8, 32, 8, 0},  // 256
    {16, 4, 16, 4, 4}, // 1024
    {16, 8, 32, 8, 8}, // 4096
};

/// @return a graph with the nodes, without links.
TopologyGraph
MakeNodes(const FatTreeShape& shape)
{
    const uint32_t servers = shape.GetServerCount();
    const uint32_t switches =
        shape.GetTorCount() + shape.GetAggregateCount() + shape.GetCoreCount();
    TopologyGraph graph;
    graph.isSwitch.assign(servers, false);
    graph.isSwitch.insert(graph.isSwitch.end(), switches, true);
    return graph;
}

} // namespace

uint32_t
FatTreeShape::GetServerCount() const
{
    return GetTorCount() * serversPerTor;
}

uint32_t
FatTreeShape::GetTorCount() const
{
    return pods * torsPerPod;
}

uint32_t
FatTreeShape::GetAggregateCount() const
{
    return pods * aggregatesPerPod;
}

uint32_t
FatTreeShape::GetCoreCount() const
{
    return aggregatesPerPod * coresPerAggregate;
}

std::vector<uint32_t>
FatTreeTopology::GetServerCounts()
{
    std::vector<uint32_t> counts;
    for (const FatTreeShape& shape : SHAPES)
    {
        counts.push_back(shape.GetServerCount());
    }
    return counts;
}

const FatTreeShape&
FatTreeTopology::GetShape(uint32_t servers)
{
    std::string sizes;
    for (const FatTreeShape& shape : SHAPES)
    {
        if (shape.GetServerCount() == servers)
        {
            return shape;
        }
        sizes += (sizes.empty() ? "" : ", ") + std::to_string(shape.GetServerCount());
    }
    throw InputError("fat-tree: expected one of " + sizes +
                     " servers (k or racks for others), got " + std::to_string(servers));
}

FatTreeShape
FatTreeTopology::MakeArity(uint32_t k)
{
    const uint32_t half = k / 2;
    return {k, half, half, half, half};
}

FatTreeLinks
FatTreeTopology::MakeLinks(const FatTreeShape& shape,
                           DataRate hostRate,
                           double oversubscription,
                           Time delay)
{
    if (shape.aggregatesPerPod == 0)
    {
        throw InputError("expected several ToRs for an oversubscription, got one switch");
    }
    const auto below = static_cast<double>(hostRate.GetBitRate()) * shape.serversPerTor;
    const DataRate uplink = GetUplinkRate(below, shape.aggregatesPerPod, oversubscription);
    FatTreeLinks links{hostRate, uplink, uplink, delay};
    if (shape.coresPerAggregate > 0)
    {
        links.coreRate = GetUplinkRate(static_cast<double>(uplink.GetBitRate()) * shape.torsPerPod,
                                       shape.coresPerAggregate,
                                       1);
    }
    return links;
}

TopologyGraph
FatTreeTopology::Build(const FatTreeParameters& parameters)
{
    return Build(
        GetShape(parameters.servers),
        {parameters.hostRate, parameters.fabricRate, parameters.fabricRate, parameters.linkDelay});
}

TopologyGraph
FatTreeTopology::Build(const FatTreeShape& shape, const FatTreeLinks& links)
{
    CheckSize(uint64_t{shape.pods} * shape.torsPerPod * shape.serversPerTor,
              uint64_t{shape.pods} * (shape.torsPerPod + shape.aggregatesPerPod) +
                  uint64_t{shape.aggregatesPerPod} * shape.coresPerAggregate,
              uint64_t{shape.pods} * shape.aggregatesPerPod *
                  (uint64_t{shape.torsPerPod} + shape.coresPerAggregate));
    TopologyGraph graph = MakeNodes(shape);
    const uint32_t firstTor = shape.GetServerCount();
    const uint32_t firstAggregate = firstTor + shape.GetTorCount();
    const uint32_t firstCore = firstAggregate + shape.GetAggregateCount();
    for (uint32_t server = 0; server < firstTor; ++server)
    {
        const uint32_t tor = firstTor + server / shape.serversPerTor;
        graph.links.push_back({server, tor, links.hostRate, links.delay});
    }
    for (uint32_t tor = 0; tor < shape.GetTorCount(); ++tor)
    {
        const uint32_t pod = tor / shape.torsPerPod;
        for (uint32_t i = 0; i < shape.aggregatesPerPod; ++i)
        {
            const uint32_t aggregate = firstAggregate + pod * shape.aggregatesPerPod + i;
            graph.links.push_back({firstTor + tor, aggregate, links.aggregateRate, links.delay});
        }
    }
    for (uint32_t aggregate = 0; aggregate < shape.GetAggregateCount(); ++aggregate)
    {
        const uint32_t place = aggregate % shape.aggregatesPerPod;
        for (uint32_t i = 0; i < shape.coresPerAggregate; ++i)
        {
            const uint32_t core = firstCore + place * shape.coresPerAggregate + i;
            graph.links.push_back({firstAggregate + aggregate, core, links.coreRate, links.delay});
        }
    }
    CheckTopology(graph, "fat-tree");
    return graph;
}

} // namespace ns3::rdma
