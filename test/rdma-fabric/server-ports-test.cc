// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/server-ports.h"

#include "../test-files.h"

#include "ns3/fabric-partition.h"
#include "ns3/fat-tree-topology.h"
#include "ns3/route-computation.h"
#include "ns3/simple-topologies.h"
#include "ns3/topology-check.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

const DataRate RATE("100Gbps");

TopologyGraph
MakeSmallStar()
{
    return MakeStar(3, RATE, MicroSeconds(1));
}

TopologyGraph
MakeTree(uint32_t servers)
{
    return FatTreeTopology::Build({servers, RATE, DataRate("400Gbps"), MicroSeconds(1)});
}

/// @return the switch that an endpoint's link leads to.
uint32_t
FindSwitch(const TopologyGraph& graph, uint32_t endpoint)
{
    for (const GraphLink& link : graph.links)
    {
        if (link.a == endpoint || link.b == endpoint)
        {
            return link.a == endpoint ? link.b : link.a;
        }
    }
    return UINT32_MAX;
}

} // namespace

TEST(ServerPorts, OneNicWithOnePortIsTheGraphItself)
{
    const TopologyGraph graph = AddEndpoints(MakeSmallStar(), {{1, 1, 1, 1}, 1});
    EXPECT_TRUE(graph.endpoints.empty());
    EXPECT_EQ(graph.links.size(), 3);
    EXPECT_EQ(graph.GetEndpoints(), (std::vector<uint32_t>{0, 1, 2}));
}

TEST(ServerPorts, FurtherNicsAreAtTheSameSwitch)
{
    const TopologyGraph graph = AddEndpoints(MakeSmallStar(), {{1, 3, 1, 1}, 1});
    // Nodes 0 to 3, then NICs 1 and 2 of server 1.
    EXPECT_EQ(graph.GetIdCount(), 6);
    EXPECT_EQ(graph.GetServerCount(), 3);
    EXPECT_EQ(graph.GetEndpoints(), (std::vector<uint32_t>{0, 1, 2, 4, 5}));
    EXPECT_EQ(FindSwitch(graph, 4), 3);
    EXPECT_EQ(FindSwitch(graph, 5), 3);
    EXPECT_EQ(graph.GetNodeName(5), "server 1 (NIC 2, port 0)");
    EXPECT_EQ(graph.links.back().rate, RATE);
    EXPECT_EQ(graph.links.back().delay, MicroSeconds(1));
    EXPECT_EQ(GetServerRates(graph),
              (std::vector<uint64_t>{100'000'000'000, 300'000'000'000, 100'000'000'000, 0}));
    CheckTopology(graph, "star");
}

TEST(ServerPorts, EachPortIsOnAPlaneOfItsOwn)
{
    const TopologyGraph base = MakeTree(64);
    const TopologyGraph graph = AddEndpoints(base, {std::vector<uint32_t>(72, 2), 2});
    // 64 servers; 8 switches on each plane; three endpoints more for each server.
    EXPECT_EQ(graph.isSwitch.size(), 64 + 2 * 8);
    EXPECT_EQ(graph.endpoints.size(), 3 * 64);
    const EndpointMap map = graph.MakeEndpointMap();
    const uint32_t port1 = map.Find({20, 1, 1});
    EXPECT_EQ(map.FindPort(port1, 0), map.Find({20, 1, 0}));
    EXPECT_EQ(FindSwitch(graph, map.Find({20, 1, 0})), 65); // Server 20 is at the second ToR.
    EXPECT_EQ(FindSwitch(graph, port1), 65 + 8);
    // Twice the links between switches, four times those of servers.
    EXPECT_EQ(graph.links.size(), 2 * 16 + 4 * 64);
    CheckTopology(graph, "planes");
    // No way leads from one plane to the other: ToR 0 is switch 0, its copy switch 8.
    const Routes routes = ComputeRoutes(graph);
    EXPECT_EQ(routes.tables[0].Find(1).count, 4); // Four aggregates.
    EXPECT_EQ(routes.tables[0].Find(8).count, 0);
    EXPECT_EQ(routes.tables[8].Find(9).count, 4);
}

TEST(ServerPorts, AServersEndpointsAreOnOneRank)
{
    const TopologyGraph graph = AddEndpoints(MakeTree(64), {std::vector<uint32_t>(72, 2), 2});
    const FabricPartition partition(graph, 2);
    for (const uint32_t id : graph.GetEndpoints())
    {
        EXPECT_EQ(partition.GetRank(id), partition.GetRank(graph.GetEndpoint(id).server));
        EXPECT_EQ(partition.GetRank(id), partition.GetRank(FindSwitch(graph, id)));
    }
    EXPECT_NE(partition.GetRank(0), partition.GetRank(63));
}

TEST(ServerPorts, RefusesWhatCannotBeBuilt)
{
    EXPECT_EQ(GetInputError([] {
                  AddEndpoints(MakeSmallStar(), {{1, 0, 1, 1}, 1});
              }),
              "expected 1 to 64 NICs per server, got 0");
    EXPECT_EQ(GetInputError([] {
                  AddEndpoints(MakeSmallStar(), {{1, 65, 1, 1}, 1});
              }),
              "expected 1 to 64 NICs per server, got 65");
    EXPECT_EQ(GetInputError([] {
                  AddEndpoints(MakeSmallStar(), {{}, 17});
              }),
              "expected 1 to 16 ports per NIC, got 17");
    EXPECT_EQ(GetInputError([] {
                  AddEndpoints(MakeBackToBack(RATE, MicroSeconds(1)), {{2, 2}, 1});
              }),
              "expected a topology with switches for more than one NIC or port, got server 0 "
              "linked to server 1");
    // 2048 x 33 = 67584 ports of one switch.
    EXPECT_EQ(GetInputError([] {
                  AddEndpoints(MakeStar(2048, RATE, MicroSeconds(1)),
                               {std::vector<uint32_t>(2048, 33), 1});
              }),
              "expected at most 65536 ports of a switch, got more at switch 2048");
}

TEST(EndpointMap, FindsWhatItNames)
{
    const EndpointMap map(4, {{1, 0, 1}, {1, 1, 0}, {1, 1, 1}, {3, 1, 0}});
    EXPECT_EQ(map.GetIdCount(), 8);
    EXPECT_EQ(map.Find({1, 0, 0}), 1);
    EXPECT_EQ(map.Find({1, 1, 1}), 6);
    EXPECT_EQ(map.Find({3, 1, 0}), 7);
    EXPECT_EQ(map.Find({1, 2, 0}), EndpointMap::NONE);
    EXPECT_EQ(map.Find({2, 0, 1}), EndpointMap::NONE);
    EXPECT_EQ(map.Find({4, 0, 0}), EndpointMap::NONE);
    EXPECT_EQ(map.FindPort(6, 0), 5);
    EXPECT_EQ(map.FindPort(7, 1), EndpointMap::NONE);
    EXPECT_EQ(map.CountNics(1), 2);
    EXPECT_EQ(map.CountNics(2), 1);
    EXPECT_EQ(map.GetEndpoints(1), (std::vector<uint32_t>{1, 4, 5, 6}));
    EXPECT_EQ(map.GetEndpoints(2), std::vector<uint32_t>{2});
}
