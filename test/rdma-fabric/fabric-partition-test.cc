// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/fabric-partition.h"

#include "ns3/fat-tree-topology.h"
#include "ns3/input-error.h"
#include "ns3/simple-topologies.h"

#include <gtest/gtest.h>
#include <set>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

const DataRate RATE("100Gbps");

TopologyGraph
MakeTree(uint32_t servers)
{
    return FatTreeTopology::Build({servers, RATE, DataRate("400Gbps"), MicroSeconds(1)});
}

/// @return by rank: how many servers it has.
std::vector<uint32_t>
CountServers(const TopologyGraph& graph, uint32_t ranks)
{
    const FabricPartition partition(graph, ranks);
    std::vector<uint32_t> counts(ranks, 0);
    for (const uint32_t server : graph.GetServers())
    {
        ++counts[partition.GetRank(server)];
    }
    return counts;
}

/// @return links whose ends have different ranks.
uint32_t
CountBorders(const TopologyGraph& graph, const FabricPartition& partition)
{
    uint32_t count = 0;
    for (const GraphLink& link : graph.links)
    {
        count += partition.GetRank(link.a) != partition.GetRank(link.b) ? 1 : 0;
    }
    return count;
}

} // namespace

TEST(FabricPartition, OneRankHasEverything)
{
    const TopologyGraph graph = MakeTree(16);
    const FabricPartition partition(graph, 1);
    EXPECT_EQ(CountServers(graph, 1), std::vector<uint32_t>{16});
    EXPECT_EQ(CountBorders(graph, partition), 0);
}

TEST(FabricPartition, ASwitchThatReachesNoServerIsDealtOutToo)
{
    TopologyGraph graph = MakeTree(1024);
    const auto spare = static_cast<uint32_t>(graph.isSwitch.size());
    graph.isSwitch.push_back(true);
    const FabricPartition partition(graph, 2);
    EXPECT_EQ(CountServers(graph, 2), (std::vector<uint32_t>{512, 512}));
    EXPECT_LT(partition.GetRank(spare), 2);
}

TEST(FabricPartition, ChoosesTheFewestRanksOfThoseThatAreFastest)
{
    const TopologyGraph graph = MakeTree(1024); // 16 pods, 64 switches with servers.
    for (const auto& [limit, count] : std::vector<std::pair<uint32_t, uint32_t>>{
             {1, 1},   // One rank has all 16 pods.
             {2, 2},   // 8 pods each.
             {5, 4},   // Five ranks: one still has 4 pods.
             {12, 8},  // From 8 to 15 ranks one has 2 pods.
             {31, 22}, // From 22 to 31 ranks one has 3 of the 64 switches.
             {1000, 64}})
    {
        EXPECT_EQ(FabricPartition::ChooseCount(graph, limit), count) << limit;
    }
    EXPECT_EQ(FabricPartition::ChooseCount(MakeTree(16), 8), 1);
}

TEST(FabricPartition, KeepsPodsWhole)
{
    // 16 pods of 4 ToRs and 4 aggregates: only links to cores cross, and half of these, since a
    // core has a link to each pod and half of the pods are the other rank's.
    const TopologyGraph graph = MakeTree(1024);
    const FabricPartition partition(graph, 2);
    EXPECT_EQ(CountServers(graph, 2), (std::vector<uint32_t>{512, 512}));
    const uint32_t firstCore = 1024 + 64 + 64;
    for (const GraphLink& link : graph.links)
    {
        if (partition.GetRank(link.a) != partition.GetRank(link.b))
        {
            EXPECT_GE(link.b, firstCore);
        }
    }
    EXPECT_EQ(CountBorders(graph, partition), 16 * 16 / 2);
}

TEST(FabricPartition, DealsTheSwitchesAboveOutByTurns)
{
    const TopologyGraph graph = MakeTree(1024);
    const FabricPartition partition(graph, 4);
    for (uint32_t core = 0; core < 16; ++core)
    {
        EXPECT_EQ(partition.GetRank(1024 + 64 + 64 + core), core % 4);
    }
}

TEST(FabricPartition, WithMoreRanksThanPodsItCutsBelow)
{
    const TopologyGraph graph = MakeTree(1024);
    const FabricPartition partition(graph, 32);
    EXPECT_EQ(CountServers(graph, 32), std::vector<uint32_t>(32, 32)); // Two ToRs each.
    for (const GraphLink& link : graph.links)
    {
        if (!graph.isSwitch[link.a])
        {
            EXPECT_EQ(partition.GetRank(link.a), partition.GetRank(link.b));
        }
    }
}

TEST(FabricPartition, ATreeOfOnePodIsCutAtItsAggregates)
{
    const TopologyGraph graph = MakeTree(64);
    EXPECT_EQ(CountServers(graph, 2), (std::vector<uint32_t>{32, 32}));
    EXPECT_EQ(CountServers(graph, 3), (std::vector<uint32_t>{32, 16, 16}));
    EXPECT_EQ(CountServers(graph, 4), std::vector<uint32_t>(4, 16));
}

TEST(FabricPartition, BalancesTheBandwidthOfServersNotTheirNumber)
{
    // Three stars joined by one switch: 2 servers of 100 Gb/s, 2 of 100 Gb/s, 2 of 200 Gb/s.
    TopologyGraph graph;
    graph.isSwitch.assign(6, false);
    graph.isSwitch.insert(graph.isSwitch.end(), 4, true);
    for (uint32_t server = 0; server < 6; ++server)
    {
        const DataRate rate(server < 4 ? "100Gbps" : "200Gbps");
        graph.links.push_back({server, 6 + server / 2, rate, MicroSeconds(1)});
    }
    for (uint32_t leaf = 6; leaf < 9; ++leaf)
    {
        graph.links.push_back({leaf, 9, DataRate("400Gbps"), MicroSeconds(1)});
    }
    const FabricPartition partition(graph, 2);
    EXPECT_EQ(partition.GetRank(4), 0); // The heaviest first, to the first rank.
    EXPECT_EQ(partition.GetRank(0), 1); // Then both others to the one that has less.
    EXPECT_EQ(partition.GetRank(2), 1);
}

TEST(FabricPartition, ServersGoWithTheirSwitchWhereSwitchesHaveNoTiers)
{
    const TopologyGraph graph = MakeDumbbell({3, RATE, RATE, MicroSeconds(1)});
    const FabricPartition partition(graph, 2);
    EXPECT_EQ(CountServers(graph, 2), (std::vector<uint32_t>{3, 3}));
    EXPECT_EQ(CountBorders(graph, partition), 1);
    const TopologyGraph pair = MakeBackToBack(RATE, MicroSeconds(1));
    EXPECT_EQ(CountServers(pair, 2), (std::vector<uint32_t>{1, 1}));
}

TEST(FabricPartition, RefusesMoreRanksThanThereAreParts)
{
    for (const auto& [graph, parts] : {std::pair{MakeTree(16), 1U}, std::pair{MakeTree(64), 4U}})
    {
        try
        {
            const FabricPartition partition(graph, parts + 1);
            FAIL() << "not refused";
        }
        catch (const InputError& error)
        {
            EXPECT_EQ(std::string(error.what()).find("expected at most " + std::to_string(parts)),
                      0)
                << error.what();
        }
    }
}

TEST(FabricPartition, EachRankHasServersForAnyNumberOfThem)
{
    const TopologyGraph graph = MakeTree(256);
    for (uint32_t ranks = 1; ranks <= 8; ++ranks)
    {
        const std::vector<uint32_t> counts = CountServers(graph, ranks);
        for (const uint32_t count : counts)
        {
            // Eight ToRs of 32: no rank has more than one ToR above another.
            EXPECT_GE(count, 8 / ranks * 32) << ranks;
            EXPECT_LE(count, (8 + ranks - 1) / ranks * 32) << ranks;
        }
    }
}
