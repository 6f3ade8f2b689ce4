// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/rail-topology.h"

#include "../expect-error.h"
#include "route-walk.h"

#include "ns3/fabric-partition.h"
#include "ns3/input-error.h"
#include "ns3/server-ports.h"
#include "ns3/topology-check.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

/// 2 groups of 4 servers with 8 NICs each; 4 spines.
TopologyGraph
Make()
{
    RailParameters parameters;
    parameters.groups = 2;
    parameters.serversPerGroup = 4;
    parameters.rails = 8;
    parameters.spines = 4;
    parameters.hostRate = DataRate("400Gbps");
    parameters.spineRate = DataRate("400Gbps");
    parameters.hostDelay = NanoSeconds(300);
    parameters.spineDelay = MicroSeconds(1);
    return MakeRail(parameters);
}

} // namespace

TEST(RailTopology, NicIOfAServerIsAtRailSwitchIOfItsGroup)
{
    const TopologyGraph graph = Make();
    EXPECT_EQ(graph.GetServerCount(), 8);
    EXPECT_EQ(graph.isSwitch.size(), 8 + 2 * 8 + 4);
    EXPECT_EQ(graph.endpoints.size(), 8 * 7);
    EXPECT_EQ(graph.links.size(), 64 + 16 * 4);
    EXPECT_EQ(GetServerRates(graph)[7], 8 * 400'000'000'000);
    const Routes routes = ComputeRoutes(graph);
    const EndpointMap endpoints = graph.MakeEndpointMap();
    for (uint32_t server = 0; server < 8; ++server)
    {
        for (uint32_t nic = 0; nic < 8; ++nic)
        {
            const Attachment place = routes.attachments[endpoints.Find({server, nic, 0})];
            EXPECT_EQ(place.switchNumber, server / 4 * 8 + nic);
            EXPECT_EQ(place.port, server % 4);
        }
    }
}

TEST(RailTopology, ARailOfAGroupIsOneSwitchAndOthersAreBehindASpine)
{
    const TopologyGraph graph = Make();
    const Routes routes = ComputeRoutes(graph);
    const RouteWalk walk(graph, routes);
    EXPECT_EQ(walk.GetHops(3, 3), 0);
    EXPECT_EQ(walk.CountWays(3, 11), 4); // Rail 3 of the other group, by each spine.
    EXPECT_EQ(walk.CountWays(3, 4), 4);  // Rail 4 of the same group.
    EXPECT_EQ(walk.GetDiameter(), 2);
    const std::vector<SwitchCapacity> sums = SumCapacities(graph);
    for (uint32_t rail = 8; rail < 24; ++rail)
    {
        EXPECT_EQ(sums[rail].GetOversubscription(), 1) << rail; // 4 servers, 4 spines.
    }
}

TEST(RailTopology, RanksAreCutBetweenGroups)
{
    const TopologyGraph graph = Make();
    const FabricPartition partition(graph, 2);
    for (uint32_t server = 0; server < 8; ++server)
    {
        EXPECT_EQ(partition.GetRank(server), partition.GetRank(server / 4 * 4));
    }
    EXPECT_NE(partition.GetRank(0), partition.GetRank(4));
}

TEST(RailTopology, TakesNoFurtherNics)
{
    ExpectError<InputError>(
        [] {
            AddEndpoints(Make(), {std::vector<uint32_t>(28, 2), 1});
        },
        "got one that has its own");
    EXPECT_EQ(AddEndpoints(Make(), {std::vector<uint32_t>(28, 1), 1}).endpoints.size(), 56);
}
