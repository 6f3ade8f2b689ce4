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

/// Parts that remain when some switches are cut off.
struct Cut
{
    Parts parts;
    uint32_t tier; ///< The lowest one that is cut off.
    uint32_t top;  ///< The highest one of the fabric.
};

/// @return the cuts that leave a part for each rank, the highest tier first; else the one of the
/// first tier, which may have fewer parts than there are ranks.
std::vector<Cut>
FindCuts(const TopologyGraph& graph, uint32_t ranks)
{
    Neighbors neighbors = FindNeighbors(graph);
    const std::vector<uint32_t> tiers = FindTiers(graph, neighbors);
    JoinEndpoints(graph, neighbors);
    uint32_t top = 0;
    for (const uint32_t tier : tiers)
    {
        top = tier == NONE ? top : std::max(top, tier);
    }
    std::vector<Cut> cuts;
    for (uint32_t tier = top; tier > 1; --tier)
    {
        Parts parts = CutOff(tier, tiers, neighbors);
        if (parts.count >= ranks)
        {
            cuts.push_back({std::move(parts), tier, top});
        }
    }
    if (cuts.empty())
    {
        constexpr uint32_t SECOND{2};
        cuts.push_back({Separate(graph, tiers), SECOND, std::max(top, SECOND)});
    }
    return cuts;
}

/// @throws InputError if there are fewer parts than ranks.
std::vector<Cut>
FindEnoughParts(const TopologyGraph& graph, uint32_t ranks)
{
    std::vector<Cut> cuts = FindCuts(graph, ranks);
    const uint32_t count = cuts.front().parts.count;
    if (count < ranks)
    {
        throw InputError("expected at most " + std::to_string(count) +
                         (count == 1 ? " rank" : " ranks") +
                         ", one for each switch with its servers, got " + std::to_string(ranks) +
                         " (mpirun -n)");
    }
    return cuts;
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

/// Adds a weight to the rank that has least. @return this rank
uint32_t
AddToLeast(double weight, std::vector<double>& loads)
{
    const auto least = std::min_element(loads.begin(), loads.end());
    *least += weight;
    return static_cast<uint32_t>(least - loads.begin());
}

/// @param[out] loads by rank: its weights
/// @return by part: its rank.
template <typename Weight>
std::vector<uint32_t>
AssignParts(const std::vector<Weight>& weights, std::vector<double>& loads)
{
    std::vector<uint32_t> order(weights.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&weights](uint32_t left, uint32_t right) {
        return weights[left] > weights[right];
    });
    std::vector<uint32_t> rankOf(weights.size());
    for (const uint32_t part : order)
    {
        rankOf[part] = AddToLeast(static_cast<double>(weights[part]), loads);
    }
    return rankOf;
}

/// The rank of each id, and how much the busiest rank has to do.
struct Division
{
    std::vector<uint32_t> rankOf;
    double busiest{0};
};

/// @return parts by bandwidth, the switches that were cut off by turns.
Division
DivideByBandwidth(const TopologyGraph& graph, const Cut& cut, uint32_t ranks)
{
    std::vector<double> loads(ranks, 0);
    const std::vector<uint32_t> rankOfPart = AssignParts(WeighParts(graph, cut.parts), loads);
    Division division{std::vector<uint32_t>(graph.GetIdCount()),
                      *std::max_element(loads.begin(), loads.end())};
    uint32_t turn = 0;
    for (uint32_t id = 0; id < division.rankOf.size(); ++id)
    {
        const uint32_t part = cut.parts.partOf[id];
        division.rankOf[id] = part == NONE ? turn++ % ranks : rankOfPart[part];
    }
    return division;
}

/// Work is counted in bytes times the nodes that they pass: at each end of a flow the NIC and the
/// switches of its part, and between the parts the switches that were cut off. These share their
/// work equally.
/// @param loads by node: bytes that a server sends and receives; of all nodes more than 0
Division
DivideByLoad(const TopologyGraph& graph,
             const Cut& cut,
             const std::vector<double>& loads,
             uint32_t ranks)
{
    // Instructions of a frame that is sent to another rank and received from one, by those of a
    // packet-hop (docs/study/ranks.md).
    constexpr double CROSSING{0.4};
    std::vector<double> weights(cut.parts.count, 0);
    double bytes = 0;
    for (const uint32_t server : graph.GetServers())
    {
        weights[cut.parts.partOf[server]] += loads[server] * cut.tier;
        bytes += loads[server] / 2; // Each byte is sent and received.
    }
    std::vector<double> work(ranks, 0);
    const std::vector<uint32_t> rankOfPart = AssignParts(weights, work);
    const auto isAbove = [](uint32_t part) { return part == NONE; };
    const auto& partOf = cut.parts.partOf;
    const auto above = std::count_if(partOf.begin(), partOf.end(), isAbove);
    const double nodesAbove = 2.0 * (cut.top - cut.tier) + 1;
    Division division{std::vector<uint32_t>(graph.GetIdCount())};
    for (uint32_t id = 0; id < partOf.size(); ++id)
    {
        division.rankOf[id] =
            isAbove(partOf[id]) ? AddToLeast(bytes * nodesAbove / static_cast<double>(above), work)
                                : rankOfPart[partOf[id]];
    }
    // A link on the way joins two ranks with the probability of two random ones.
    const double crossings = bytes * (nodesAbove + 1) * (1 - 1.0 / ranks);
    division.busiest = *std::max_element(work.begin(), work.end()) + crossings * CROSSING / ranks;
    return division;
}

/// @return loads of which even an idle server has some, so that no rank is without servers; empty
/// if there is no load.
std::vector<double>
AddIdleLoad(const TopologyGraph& graph, std::vector<double> loads)
{
    constexpr double IDLE{0.01}; // Of the mean load.
    const double sum = std::accumulate(loads.begin(), loads.end(), 0.0);
    if (sum == 0)
    {
        return {};
    }
    for (double& load : loads)
    {
        load += IDLE * sum / graph.GetServerCount();
    }
    return loads;
}

} // namespace

FabricPartition::FabricPartition(const TopologyGraph& graph,
                                 uint32_t ranks,
                                 const std::vector<double>& serverLoads)
    : m_rankOf(graph.GetIdCount(), 0)
{
    if (ranks == 1)
    {
        return;
    }
    const std::vector<Cut> cuts = FindEnoughParts(graph, ranks);
    const std::vector<double> loads = AddIdleLoad(graph, serverLoads);
    if (loads.empty())
    {
        m_rankOf = DivideByBandwidth(graph, cuts.front(), ranks).rankOf;
        return;
    }
    Division best = DivideByLoad(graph, cuts.front(), loads, ranks);
    for (std::size_t i = 1; i < cuts.size(); ++i)
    {
        Division other = DivideByLoad(graph, cuts[i], loads, ranks);
        if (other.busiest < best.busiest)
        {
            best = std::move(other);
        }
    }
    m_rankOf = std::move(best.rankOf);
}

uint32_t
FabricPartition::ChooseCount(const TopologyGraph& graph, uint32_t limit)
{
    uint32_t chosen = 1;
    double least = std::numeric_limits<double>::max();
    for (uint32_t ranks = 1; ranks <= limit; ++ranks)
    {
        const Cut cut = std::move(FindCuts(graph, ranks).front());
        if (cut.parts.count < ranks)
        {
            break;
        }
        const double load = DivideByBandwidth(graph, cut, ranks).busiest;
        if (load < least)
        {
            chosen = ranks;
            least = load;
        }
    }
    return chosen;
}

} // namespace ns3::rdma
