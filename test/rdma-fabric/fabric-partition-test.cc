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

namespace
{

/// @return loads of a tree of 1024 servers: of the servers of some pods, and of all others.
std::vector<double>
MakeLoads(const TopologyGraph& graph,
          const std::set<uint32_t>& pods,
          double inPods,
          double elsewhere)
{
    constexpr uint32_t SERVERS_PER_POD{64};
    std::vector<double> loads(graph.isSwitch.size(), 0);
    for (const uint32_t server : graph.GetServers())
    {
        loads[server] = pods.count(server / SERVERS_PER_POD) ? inPods : elsewhere;
    }
    return loads;
}

} // namespace

TEST(FabricPartition, PodsAreBalancedByTheirLoad)
{
    // By bandwidth, pods 0 and 2 have the same rank. By load, each of the two heavy pods (64 * 8 =
    // 512) begins a rank, and the 14 others (64 each) are divided equally.
    const TopologyGraph graph = MakeTree(1024);
    const FabricPartition even(graph, 2);
    EXPECT_EQ(even.GetRank(0), even.GetRank(2 * 64));
    const FabricPartition partition(graph, 2, MakeLoads(graph, {0, 2}, 8, 1));
    EXPECT_NE(partition.GetRank(0), partition.GetRank(2 * 64));
    EXPECT_EQ(CountBorders(graph, partition), 16 * 16 / 2); // Pods stay whole.
    uint32_t first = 0;
    for (const uint32_t server : graph.GetServers())
    {
        first += partition.GetRank(server) == 0 ? 1 : 0;
    }
    EXPECT_EQ(first, 512);
}

TEST(FabricPartition, APodWithMostOfTheLoadIsDividedBetweenRanks)
{
    // The pod has 64 * 100 = 6400 of 7360, times 3 nodes: at least 19,200 on one rank if it stays
    // whole. In switches with servers, all have 12,880 and some frames more between ranks.
    const TopologyGraph graph = MakeTree(1024);
    const FabricPartition partition(graph, 2, MakeLoads(graph, {0}, 100, 1));
    uint32_t first = 0;
    for (uint32_t server = 0; server < 64; ++server)
    {
        EXPECT_EQ(partition.GetRank(server), partition.GetRank(server / 16 * 16)); // Its switch.
        first += partition.GetRank(server) == 0 ? 1 : 0;
    }
    EXPECT_EQ(first, 32);
}

TEST(FabricPartition, EqualOrNoLoadsAreDividedAsBandwidth)
{
    const TopologyGraph graph = MakeTree(1024);
    const FabricPartition expected(graph, 2);
    for (const double load : {0.0, 5.0})
    {
        const FabricPartition partition(graph, 2, MakeLoads(graph, {}, 0, load));
        for (uint32_t node = 0; node < graph.isSwitch.size(); ++node)
        {
            ASSERT_EQ(partition.GetRank(node), expected.GetRank(node)) << load << " " << node;
        }
    }
}

TEST(FabricPartition, EachRankHasServersIfOneServerHasAllTheLoad)
{
    const TopologyGraph graph = MakeTree(64);
    std::vector<double> loads(graph.isSwitch.size(), 0);
    loads[20] = 1e9;
    const FabricPartition partition(graph, 4, loads);
    std::set<uint32_t> ranks;
    for (uint32_t server = 0; server < 64; server += 16)
    {
        ranks.insert(partition.GetRank(server));
    }
    EXPECT_EQ(ranks.size(), 4);
}

TEST(FabricPartition, SwitchesAboveGoToTheRankWithLess)
{
    // Two leaves with a server each, joined by one switch. The second server has more load.
    TopologyGraph graph;
    graph.isSwitch = {false, false, true, true, true};
    graph.links = {{0, 2, RATE, MicroSeconds(1)},
                   {1, 3, RATE, MicroSeconds(1)},
                   {2, 4, RATE, MicroSeconds(1)},
                   {3, 4, RATE, MicroSeconds(1)}};
    const FabricPartition partition(graph, 2, {1, 3, 0, 0, 0});
    EXPECT_NE(partition.GetRank(0), partition.GetRank(1));
    EXPECT_EQ(partition.GetRank(4), partition.GetRank(0));
}
