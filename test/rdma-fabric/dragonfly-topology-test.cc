// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/dragonfly-topology.h"

#include "route-walk.h"

#include <gtest/gtest.h>
#include <set>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

constexpr uint32_t A{4};

/// The example of Kim et al., figure 5: p = h = 2, a = 4, nine groups, 72 servers.
TopologyGraph
Make(uint32_t groups = 9)
{
    DragonflyParameters parameters;
    parameters.a = A;
    parameters.p = 2;
    parameters.h = 2;
    parameters.groups = groups;
    parameters.hostRate = DataRate("100Gbps");
    parameters.localRate = DataRate("100Gbps");
    parameters.globalRate = DataRate("200Gbps");
    parameters.localDelay = NanoSeconds(300);
    parameters.globalDelay = MicroSeconds(1);
    return MakeDragonfly(parameters);
}

/// Walks from switch to switch and counts links between groups.
uint32_t
CountGlobalHops(const TopologyGraph& graph, const Routes& routes, uint32_t from, uint32_t to)
{
    const uint32_t servers = graph.GetServerCount();
    std::vector<std::vector<uint32_t>> neighbors(graph.isSwitch.size());
    for (const GraphLink& link : graph.links)
    {
        neighbors[link.a].push_back(link.b);
        neighbors[link.b].push_back(link.a);
    }
    uint32_t count = 0;
    while (from != to)
    {
        const RouteTable& table = routes.tables[from];
        const uint32_t next =
            neighbors[servers + from][table.ports[table.Find(to).first]] - servers;
        count += next / A != from / A ? 1 : 0;
        from = next;
    }
    return count;
}

} // namespace

TEST(DragonflyTopology, HasALinkBetweenEachTwoGroupsAndEachTwoSwitchesOfAGroup)
{
    const TopologyGraph graph = Make();
    EXPECT_EQ(graph.GetServerCount(), 72);
    EXPECT_EQ(graph.isSwitch.size(), 72 + 36);
    // 72 of servers, 9 groups x 6 pairs of switches, 36 pairs of groups.
    EXPECT_EQ(graph.links.size(), 72 + 54 + 36);
    std::set<std::pair<uint32_t, uint32_t>> groups;
    for (const GraphLink& link : graph.links)
    {
        if (link.rate == DataRate("200Gbps"))
        {
            groups.insert({(link.a - 72) / A, (link.b - 72) / A});
            EXPECT_EQ(link.delay, MicroSeconds(1));
        }
    }
    EXPECT_EQ(groups.size(), 36);
    for (uint32_t node = 72; node < 108; ++node)
    {
        EXPECT_EQ(SumCapacities(graph)[node].ports, 2 + 3 + 2) << node; // p, a - 1, h.
    }
}

TEST(DragonflyTopology, RoutesAreMinimalWithOneLinkBetweenGroups)
{
    const TopologyGraph graph = Make();
    const Routes routes = ComputeRoutes(graph);
    const RouteWalk walk(graph, routes);
    for (uint32_t from = 0; from < 36; ++from)
    {
        for (uint32_t to = 0; to < 36; ++to)
        {
            ASSERT_EQ(walk.CountWays(from, to), 1) << from << " to " << to;
            ASSERT_EQ(CountGlobalHops(graph, routes, from, to), from / A == to / A ? 0 : 1);
        }
    }
    EXPECT_EQ(walk.GetDiameter(), 3); // Local, global, local.
}

TEST(DragonflyTopology, WithEqualCostsSomeRoutesWouldCrossAThirdGroup)
{
    TopologyGraph graph = Make();
    for (GraphLink& link : graph.links)
    {
        link.cost = 1;
    }
    const Routes routes = ComputeRoutes(graph);
    uint32_t most = 0;
    for (uint32_t from = 0; from < 36; ++from)
    {
        for (uint32_t to = 0; to < 36; ++to)
        {
            most = std::max(most, CountGlobalHops(graph, routes, from, to));
        }
    }
    EXPECT_EQ(most, 2);
}

TEST(DragonflyTopology, MayHaveFewerGroups)
{
    const TopologyGraph graph = Make(3);
    EXPECT_EQ(graph.GetServerCount(), 24);
    EXPECT_EQ(graph.links.size(), 24 + 18 + 3);
    const Routes routes = ComputeRoutes(graph);
    EXPECT_LE(RouteWalk(graph, routes).GetDiameter(), 3);
}
