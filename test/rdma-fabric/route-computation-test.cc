// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/route-computation.h"

#include "route-walk.h"

#include "ns3/fat-tree-topology.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

const DataRate RATE("100Gbps");

GraphLink
MakeLink(uint32_t a, uint32_t b)
{
    return {a, b, RATE, MicroSeconds(1)};
}

TopologyGraph
MakeFatTree(uint32_t servers)
{
    return FatTreeTopology::Build({servers, RATE, DataRate("400Gbps"), MicroSeconds(1)});
}

class FatTreeRoutes : public testing::TestWithParam<uint32_t>
{
};

/// @return the ports of a switch that lead to another one.
std::vector<uint16_t>
GetPorts(const Routes& routes, uint32_t from, uint32_t to)
{
    const RouteTable& table = routes.tables[from];
    const PortGroup group = table.Find(to);
    return {table.ports.begin() + group.first, table.ports.begin() + group.first + group.count};
}

/// Servers 0 and 1 behind switches 2 and 3 (numbers 0 and 1), which share three links.
TopologyGraph
MakeParallelLinks()
{
    TopologyGraph graph;
    graph.isSwitch = {false, false, true, true};
    graph.links = {MakeLink(2, 3), MakeLink(0, 2), MakeLink(3, 2), MakeLink(1, 3), MakeLink(2, 3)};
    return graph;
}

} // namespace

TEST_P(FatTreeRoutes, SwitchesOutsideTheUnusualRangeHaveTheUsualGroup)
{
    const Routes routes = ComputeRoutes(MakeFatTree(GetParam()));
    const FatTreeShape& shape = FatTreeTopology::GetShape(GetParam());
    for (uint32_t from = 0; from < routes.tables.size(); ++from)
    {
        const RouteTable& table = routes.tables[from];
        for (uint32_t to = 0; to < shape.GetTorCount(); ++to) // Only these have endpoints.
        {
            if (to - table.firstUnusual >= table.unusualCount)
            {
                EXPECT_EQ(table.groupOf[to], table.usualGroup) << from << " to " << to;
            }
        }
    }
    if (shape.GetTorCount() > 2)
    {
        // A switch of the lowest tier sends all frames up but those to its own servers.
        EXPECT_EQ(routes.tables[0].firstUnusual, 0U);
        EXPECT_EQ(routes.tables[0].unusualCount, 1U);
    }
}

TEST_P(FatTreeRoutes, ConnectAllServersByAllShortestPaths)
{
    const TopologyGraph graph = MakeFatTree(GetParam());
    const Routes routes = ComputeRoutes(graph);
    const FatTreeShape& shape = FatTreeTopology::GetShape(GetParam());
    for (uint32_t server = 0; server < GetParam(); ++server)
    {
        EXPECT_EQ(routes.attachments[server].switchNumber, server / shape.serversPerTor);
        EXPECT_EQ(routes.attachments[server].port, server % shape.serversPerTor);
    }
    const RouteWalk walk(graph, routes);
    for (uint32_t from = 0; from < shape.GetTorCount(); ++from)
    {
        for (uint32_t to = 0; to < shape.GetTorCount(); ++to)
        {
            // Within a pod by each aggregate; between pods by each core.
            const bool isSamePod = from / shape.torsPerPod == to / shape.torsPerPod;
            const uint32_t ways = from == to  ? 1
                                  : isSamePod ? shape.aggregatesPerPod
                                              : shape.GetCoreCount();
            ASSERT_EQ(walk.CountWays(from, to), ways) << from << " to " << to;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(RouteComputation, FatTreeRoutes, testing::Values(16, 64, 256, 1024));

TEST(RouteComputation, FindsTheWaysOf4096Servers)
{
    const TopologyGraph graph = MakeFatTree(4096);
    const Routes routes = ComputeRoutes(graph);
    ASSERT_EQ(routes.tables.size(), 128 + 128 + 64);
    const RouteWalk walk(graph, routes);
    EXPECT_EQ(routes.attachments[4095].switchNumber, 127);
    EXPECT_EQ(walk.CountWays(0, 7), 8);    // By the 8 aggregates of the pod.
    EXPECT_EQ(walk.CountWays(0, 127), 64); // By the 64 cores.
    EXPECT_EQ(routes.tables[0].Find(127).count, 8);
    EXPECT_EQ(routes.tables[128].Find(127).count, 8); // The first aggregate has 8 cores.
    EXPECT_EQ(routes.tables[256].Find(127).count, 1); // A core has one way down.
}

TEST(RouteComputation, GivesATorOf64ServersItsFourUplinks)
{
    // Ports 0 .. 15 go to servers, ports 16 .. 19 to aggregates.
    const Routes routes = ComputeRoutes(MakeFatTree(64));
    EXPECT_EQ(GetPorts(routes, 0, 3), (std::vector<uint16_t>{16, 17, 18, 19}));
    // Aggregate 4 (the first) reaches ToR 2 by its port 2 alone.
    EXPECT_EQ(GetPorts(routes, 4, 2), (std::vector<uint16_t>{2}));
}

TEST(RouteComputation, TreatsParallelLinksAsPortsOfOneGroup)
{
    const Routes routes = ComputeRoutes(MakeParallelLinks());
    EXPECT_EQ(GetPorts(routes, 0, 1), (std::vector<uint16_t>{0, 2, 3}));
    EXPECT_EQ(GetPorts(routes, 1, 0), (std::vector<uint16_t>{0, 1, 3}));
    EXPECT_EQ(routes.attachments[0].port, 1);
    EXPECT_EQ(routes.attachments[1].port, 2);
    EXPECT_EQ(routes.attachments[2].switchNumber, Attachment::ABSENT);
}

TEST(RouteComputation, LeavesOutLinksThatAreDownAndKeepsTheNumbersOfPorts)
{
    const TopologyGraph graph = MakeParallelLinks();
    const Routes two = ComputeRoutes(graph, {true, true, false, true, true});
    EXPECT_EQ(GetPorts(two, 0, 1), (std::vector<uint16_t>{0, 3}));
    EXPECT_EQ(GetPorts(two, 1, 0), (std::vector<uint16_t>{0, 3}));
    const Routes none = ComputeRoutes(graph, {false, true, false, true, false});
    EXPECT_TRUE(GetPorts(none, 0, 1).empty());
    const Routes alone = ComputeRoutes(graph, {true, false, true, true, true});
    EXPECT_EQ(alone.attachments[0].switchNumber, Attachment::ABSENT);
    EXPECT_EQ(alone.attachments[1].switchNumber, 1);
}

TEST(RouteComputation, TakesADetourOnlyWhenTheShortWayIsDown)
{
    // Switches 2, 3, 4 in a triangle; servers 0 and 1 behind switches 2 and 3.
    TopologyGraph graph;
    graph.isSwitch = {false, false, true, true, true};
    graph.links = {MakeLink(0, 2), MakeLink(1, 3), MakeLink(2, 3), MakeLink(2, 4), MakeLink(3, 4)};
    EXPECT_EQ(GetPorts(ComputeRoutes(graph), 0, 1), (std::vector<uint16_t>{1}));
    const Routes detour = ComputeRoutes(graph, {true, true, false, true, true});
    EXPECT_EQ(GetPorts(detour, 0, 1), (std::vector<uint16_t>{2}));
    EXPECT_EQ(GetPorts(detour, 2, 1), (std::vector<uint16_t>{1}));
}

TEST(RouteComputation, HasNothingToSayBackToBack)
{
    TopologyGraph graph;
    graph.isSwitch = {false, false};
    graph.links = {MakeLink(0, 1)};
    const Routes routes = ComputeRoutes(graph);
    EXPECT_TRUE(routes.tables.empty());
    EXPECT_EQ(routes.attachments[0].switchNumber, Attachment::ABSENT);
}

TEST(RouteComputation, TakesTheCheapestPathInsteadOfTheShortest)
{
    // Servers 0 and 1 behind switches 2 and 5. One link of cost 4 joins these, a path of three
    // links leads through 3 and 4: cost 3.
    TopologyGraph graph;
    graph.isSwitch = {false, false, true, true, true, true};
    graph.links = {MakeLink(0, 2),
                   MakeLink(1, 5),
                   MakeLink(2, 5),
                   MakeLink(2, 3),
                   MakeLink(3, 4),
                   MakeLink(4, 5)};
    graph.links[2].cost = 4;
    const Routes detour = ComputeRoutes(graph);
    EXPECT_EQ(RouteWalk(graph, detour).GetHops(0, 3), 3);
    graph.links[2].cost = 2;
    const Routes direct = ComputeRoutes(graph);
    EXPECT_EQ(RouteWalk(graph, direct).GetHops(0, 3), 1);
    // Both cost 3: two ways, by ports 1 (the direct link) and 2.
    graph.links[2].cost = 3;
    const Routes both = ComputeRoutes(graph);
    EXPECT_EQ(RouteWalk(graph, both).CountWays(0, 3), 2);
    EXPECT_EQ(GetPorts(both, 0, 3), (std::vector<uint16_t>{1, 2}));
}
