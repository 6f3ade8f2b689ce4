// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/topology-check.h"

#include "../test-files.h"

#include "ns3/simple-topologies.h"

#include <gtest/gtest.h>
#include <limits>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

/// Servers 0, 1, 2 behind switch 3.
TopologyGraph
MakeSound()
{
    return MakeStar(3, DataRate("100Gbps"), MicroSeconds(1));
}

std::string
Check(const TopologyGraph& graph)
{
    return GetInputError([&graph] { CheckTopology(graph, "here"); });
}

} // namespace

TEST(TopologyCheck, AcceptsASoundGraph)
{
    EXPECT_EQ(Check(MakeSound()), "");
}

TEST(TopologyCheck, NamesAServerWithoutALink)
{
    TopologyGraph graph = MakeSound();
    graph.links.pop_back();
    EXPECT_EQ(Check(graph),
              "here: expected exactly one link for server 2, got none (it is disconnected)");
}

TEST(TopologyCheck, NamesAServerWithTwoLinks)
{
    TopologyGraph graph = MakeSound();
    graph.links.push_back(graph.links[1]);
    EXPECT_EQ(Check(graph), "here: expected exactly one link for server 1, got 2");
}

TEST(TopologyCheck, NamesServersWithoutAPath)
{
    TopologyGraph graph = MakeSound();
    graph.isSwitch.push_back(true); // Switch 4, alone with server 2.
    graph.links[2].b = 4;
    EXPECT_EQ(Check(graph),
              "here: expected a path between all servers, got none from server 0 to server 2 "
              "(disconnected)");
}

TEST(TopologyCheck, AcceptsParallelLinksBetweenSwitches)
{
    TopologyGraph graph = MakeDumbbell({1, DataRate("1Gbps"), DataRate("1Gbps"), MicroSeconds(1)});
    graph.links.push_back(graph.links.back());
    EXPECT_EQ(Check(graph), "");
}

TEST(TopologyCheck, NamesABadLink)
{
    TopologyGraph graph = MakeSound();
    graph.links[0].b = 9;
    EXPECT_EQ(Check(graph), "here: expected links between nodes 0 to 3, got node 9");
    graph = MakeSound();
    graph.links[0].b = 0;
    EXPECT_EQ(Check(graph), "here: expected links between two different nodes, got server 0 twice");
    graph = MakeSound();
    graph.links[0].rate = DataRate(0);
    EXPECT_EQ(
        Check(graph),
        "here: expected a rate above zero for the link between server 0 and switch 3, got 0bps");
    graph = MakeSound();
    graph.links[0].delay = MicroSeconds(1) - MicroSeconds(2);
    EXPECT_NE(Check(graph).find("a delay of zero or more"), std::string::npos);
    for (const double lossRate : {-0.1, 1.0, std::numeric_limits<double>::quiet_NaN()})
    {
        graph = MakeSound();
        graph.links[0].lossRate = lossRate;
        EXPECT_NE(Check(graph).find("a loss rate in [0, 1)"), std::string::npos) << lossRate;
    }
}

TEST(TopologyCheck, NeedsTwoServers)
{
    TopologyGraph graph;
    EXPECT_EQ(Check(graph), "here: expected at least two servers, got 0");
    graph.isSwitch = {false, true};
    EXPECT_EQ(Check(graph), "here: expected at least two servers, got 1");
}

TEST(TopologyCheck, AddsUpTheLinksOfEachServer)
{
    // Servers 0 to 3 with a link each, then two switches.
    const TopologyGraph graph =
        MakeDumbbell({2, DataRate("1Gbps"), DataRate("4Gbps"), MicroSeconds(1)});
    constexpr uint64_t RATE{1'000'000'000};
    EXPECT_EQ(GetServerRates(graph), (std::vector<uint64_t>{RATE, RATE, RATE, RATE, 0, 0}));
}
