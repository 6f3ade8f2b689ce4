// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/fabric-partition.h"

#include "ns3/input-error.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <numeric>

namespace ns3::rdma
{

namespace
{

constexpr uint32_t NONE{std::numeric_limits<uint32_t>::max()};

/// By id: the ids at the other ends of its links, in the order of its ports.
using Neighbors = std::vector<std::vector<uint32_t>>;

Neighbors
FindNeighbors(const TopologyGraph& graph)
{
    Neighbors neighbors(graph.GetIdCount());
    for (const GraphLink& link : graph.links)
    {
        neighbors[link.a].push_back(link.b);
        neighbors[link.b].push_back(link.a);
    }
    return neighbors;
}

/// Connects the endpoints of each server, so that they belong to one part.
void
JoinEndpoints(const TopologyGraph& graph, Neighbors& neighbors)
{
    for (auto id = static_cast<uint32_t>(graph.isSwitch.size()); id < graph.GetIdCount(); ++id)
    {
        const uint32_t server = graph.GetEndpoint(id).server;
        neighbors[id].push_back(server);
        neighbors[server].push_back(id);
    }
}

/// @return by id: hops to the nearest endpoint, which are 0 for endpoints and 1 for switches with
/// endpoints; NONE if no endpoint is reachable.
std::vector<uint32_t>
FindTiers(const TopologyGraph& graph, const Neighbors& neighbors)
{
    std::vector<uint32_t> tiers(graph.GetIdCount(), NONE);
    std::deque<uint32_t> frontier;
    for (const uint32_t endpoint : graph.GetEndpoints())
    {
        tiers[endpoint] = 0;
        frontier.push_back(endpoint);
    }
    while (!frontier.empty())
    {
        const uint32_t node = frontier.front();
        frontier.pop_front();
        for (const uint32_t neighbor : neighbors[node])
        {
            if (tiers[neighbor] == NONE)
            {
                tiers[neighbor] = tiers[node] + 1;
                frontier.push_back(neighbor);
            }
        }
    }
    return tiers;
}

/// A partition: the part of each id; NONE for switches that belong to no part.
struct Parts
{
    std::vector<uint32_t> partOf;
    uint32_t count{0};
};

/// @return the connected components without the switches of a tier and above.
Parts
CutOff(uint32_t tier, const std::vector<uint32_t>& tiers, const Neighbors& neighbors)
{
    Parts parts;
    parts.partOf.assign(tiers.size(), NONE);
    for (uint32_t first = 0; first < tiers.size(); ++first)
    {
        if (tiers[first] >= tier || parts.partOf[first] != NONE)
        {
            continue;
        }
        std::vector<uint32_t> open{first};
        parts.partOf[first] = parts.count;
        while (!open.empty())
        {
            const uint32_t node = open.back();
            open.pop_back();
            for (const uint32_t neighbor : neighbors[node])
            {
                if (tiers[neighbor] < tier && parts.partOf[neighbor] == NONE)
                {
                    parts.partOf[neighbor] = parts.count;
                    open.push_back(neighbor);
                }
            }
        }
        ++parts.count;
    }
    return parts;
}

/// @return a part for each switch of the first tier with its servers; links within the tier are
/// ignored. Switches that share a server are one part.
Parts
Separate(const TopologyGraph& graph, const std::vector<uint32_t>& tiers)
{
    Neighbors neighbors(tiers.size());
    for (const GraphLink& link : graph.links)
    {
        // The link joins a server and a switch.
        if (tiers[link.a] + tiers[link.b] == 1)
        {
            neighbors[link.a].push_back(link.b);
            neighbors[link.b].push_back(link.a);
        }
    }
    JoinEndpoints(graph, neighbors);
    return CutOff(2, tiers, neighbors);
}

/// @return the parts of the highest tier that has one for each rank, else those of the first tier,
/// which may be fewer than the ranks.
Parts
FindFinestParts(const TopologyGraph& graph, uint32_t ranks)
{
    Neighbors neighbors = FindNeighbors(graph);
    const std::vector<uint32_t> tiers = FindTiers(graph, neighbors);
    JoinEndpoints(graph, neighbors);
    uint32_t top = 0;
    for (const uint32_t tier : tiers)
    {
        top = tier == NONE ? top : std::max(top, tier);
    }
    for (uint32_t tier = top; tier > 1; --tier)
    {
        Parts parts = CutOff(tier, tiers, neighbors);
        if (parts.count >= ranks)
        {
            return parts;
        }
    }
    return Separate(graph, tiers);
}

/// @throws InputError if there are fewer parts than ranks.
Parts
FindParts(const TopologyGraph& graph, uint32_t ranks)
{
    Parts parts = FindFinestParts(graph, ranks);
    if (parts.count < ranks)
    {
        throw InputError("expected at most " + std::to_string(parts.count) +
                         (parts.count == 1 ? " rank" : " ranks") +
                         ", one for each switch with its servers, got " + std::to_string(ranks) +
                         " (mpirun -n)");
    }
    return parts;
}

/// @return by part: the bit rates of its servers' links.
std::vector<uint64_t>
WeighParts(const TopologyGraph& graph, const Parts& parts)
{
    std::vector<uint64_t> weights(parts.count, 0);
    for (const GraphLink& link : graph.links)
    {
        for (const uint32_t node : {link.a, link.b})
        {
            weights[graph.IsSwitch(node) ? 0 : parts.partOf[node]] +=
                graph.IsSwitch(node) ? 0 : link.rate.GetBitRate();
        }
    }
    return weights;
}

/// @return by part: its rank.
std::vector<uint32_t>
AssignParts(const std::vector<uint64_t>& weights, uint32_t ranks)
{
    std::vector<uint32_t> order(weights.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&weights](uint32_t left, uint32_t right) {
        return weights[left] > weights[right];
    });
    std::vector<uint64_t> loads(ranks, 0);
    std::vector<uint32_t> rankOf(weights.size());
    for (const uint32_t part : order)
    {
        const auto least = std::min_element(loads.begin(), loads.end());
        *least += weights[part];
        rankOf[part] = static_cast<uint32_t>(least - loads.begin());
    }
    return rankOf;
}

/// @return the server bandwidth of the busiest rank.
uint64_t
GetLargestLoad(const TopologyGraph& graph, const Parts& parts, uint32_t ranks)
{
    const std::vector<uint64_t> weights = WeighParts(graph, parts);
    const std::vector<uint32_t> rankOfPart = AssignParts(weights, ranks);
    std::vector<uint64_t> loads(ranks, 0);
    for (uint32_t part = 0; part < parts.count; ++part)
    {
        loads[rankOfPart[part]] += weights[part];
    }
    return *std::max_element(loads.begin(), loads.end());
}

} // namespace

FabricPartition::FabricPartition(const TopologyGraph& graph, uint32_t ranks)
    : m_rankOf(graph.GetIdCount(), 0)
{
    if (ranks == 1)
    {
        return;
    }
    const Parts parts = FindParts(graph, ranks);
    const std::vector<uint32_t> rankOfPart = AssignParts(WeighParts(graph, parts), ranks);
    uint32_t turn = 0;
    for (uint32_t node = 0; node < m_rankOf.size(); ++node)
    {
        const uint32_t part = parts.partOf[node];
        m_rankOf[node] = part == NONE ? turn++ % ranks : rankOfPart[part];
    }
}

uint32_t
FabricPartition::ChooseCount(const TopologyGraph& graph, uint32_t limit)
{
    uint32_t chosen = 1;
    uint64_t least = std::numeric_limits<uint64_t>::max();
    for (uint32_t ranks = 1; ranks <= limit; ++ranks)
    {
        const Parts parts = FindFinestParts(graph, ranks);
        if (parts.count < ranks)
        {
            break;
        }
        const uint64_t load = GetLargestLoad(graph, parts, ranks);
        if (load < least)
        {
            chosen = ranks;
            least = load;
        }
    }
    return chosen;
}

} // namespace ns3::rdma
