// SPDX-License-Identifier: GPL-2.0-only

#include "rank-options.h"

#include "whole-number.h"

#include "ns3/fabric-partition.h"
#include "ns3/run-cost.h"
#include "ns3/server-loads.h"
#include "ns3/workload-keys.h"

#include <algorithm>
#include <limits>

namespace ns3::rdma
{

namespace
{

// Of runs with one and two ranks on one machine (docs/study/ranks.md, Speed).
constexpr double SECONDS_PER_HOP{75e-9};       ///< That can be divided.
constexpr double SECONDS_PER_LOOKAHEAD{40e-6}; ///< Lost by exchange and waiting.
constexpr double START_SECONDS{0.45};          ///< Of the ranks.

/// @return the shortest delay of a link between two ranks, in picoseconds.
int64_t
GetLookaheadPs(const TopologyGraph& graph, const FabricPartition& partition)
{
    int64_t least = std::numeric_limits<int64_t>::max();
    for (const GraphLink& link : graph.links)
    {
        if (partition.GetRank(link.a) != partition.GetRank(link.b))
        {
            least = std::min(least, link.delay.GetPicoSeconds());
        }
    }
    return least;
}

/// @return whether ranks shorten the run by more time than they cost, as far as its work can be
/// estimated.
bool
IsWorthRanks(RunInput& input, uint32_t ranks)
{
    const Scenario& scenario = input.GetScenario();
    const TopologyGraph& graph = input.GetTopology();
    const RunCost cost = EstimateCost(scenario, scenario.nics.front(), graph);
    if (cost.isWithTraffic)
    {
        return true;
    }
    const ServerLoads loads = EstimateServerLoads(input);
    const auto last = GetLastTime(scenario);
    const int64_t spanPs = std::max(loads.spanPs, last ? last->GetPicoSeconds() : 0);
    const int64_t lookaheadPs = GetLookaheadPs(graph, FabricPartition(graph, ranks, loads.bytes));
    const double lookaheads = static_cast<double>(spanPs) / static_cast<double>(lookaheadPs);
    const double saved = static_cast<double>(cost.packetHops) * SECONDS_PER_HOP * (1 - 1.0 / ranks);
    return saved > lookaheads * SECONDS_PER_LOOKAHEAD + START_SECONDS;
}

} // namespace

std::string
CheckRanks(const std::string& text, uint32_t most)
{
    const auto number = ParseWholeNumber(text);
    const bool isGood = text == AUTOMATIC_RANKS || (number && *number >= 1 && *number <= most);
    return isGood ? ""
                  : "expected auto or a whole number from 1 to " + std::to_string(most) + ", got " +
                        text;
}

uint32_t
ChooseRanks(RunInput& input, const RankLimits& limits)
{
    const TopologyGraph& graph = input.GetTopology();
    const bool hasDelays =
        std::all_of(graph.links.begin(), graph.links.end(), [](const GraphLink& link) {
            return link.delay.IsStrictlyPositive();
        });
    if (limits.nics >= limits.cores || !hasDelays)
    {
        return 1;
    }
    const uint32_t ranks = FabricPartition::ChooseCount(graph, limits.cores);
    return ranks > 1 && !IsWorthRanks(input, ranks) ? 1 : ranks;
}

} // namespace ns3::rdma
