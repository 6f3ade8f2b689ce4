// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/leaf-spine-topology.h"

#include "../expect-error.h"
#include "route-walk.h"

#include "ns3/input-error.h"
#include "ns3/server-ports.h"
#include "ns3/topology-check.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

/// 4 leaves with 6 servers each and 2 links to each of 3 spines.
LeafSpineParameters
MakeParameters()
{
    LeafSpineParameters parameters;
    parameters.leaves = 4;
    parameters.spines = 3;
    parameters.serversPerLeaf = 6;
    parameters.linksPerSpine = 2;
    parameters.hostRate = DataRate("100Gbps");
    parameters.spineRate = DataRate("50Gbps");
    parameters.hostDelay = NanoSeconds(300);
    parameters.spineDelay = MicroSeconds(1);
    return parameters;
}

} // namespace

TEST(LeafSpineTopology, JoinsEachLeafToEachSpineByTheSameNumberOfLinks)
{
    const TopologyGraph graph = MakeLeafSpine(MakeParameters());
    EXPECT_EQ(graph.GetServerCount(), 24);
    EXPECT_EQ(graph.isSwitch.size(), 24 + 4 + 3);
    EXPECT_EQ(graph.links.size(), 24 + 4 * 3 * 2);
    const std::vector<SwitchCapacity> sums = SumCapacities(graph);
    for (uint32_t leaf = 24; leaf < 28; ++leaf)
    {
        EXPECT_EQ(sums[leaf].GetOversubscription(), 2) << leaf; // 6 x 100 over 6 x 50 Gb/s.
    }
    EXPECT_EQ(graph.FindOversubscription(), 2);
    for (uint32_t spine = 28; spine < 31; ++spine)
    {
        EXPECT_EQ(sums[spine].ports, 8) << spine;
    }
    EXPECT_EQ(graph.links.front().delay, NanoSeconds(300));
    EXPECT_EQ(graph.links.back().delay, MicroSeconds(1));
}

TEST(LeafSpineTopology, HasAWayForEachPairOfParallelLinks)
{
    const TopologyGraph graph = MakeLeafSpine(MakeParameters());
    const Routes routes = ComputeRoutes(graph);
    const RouteWalk walk(graph, routes);
    EXPECT_EQ(walk.CountWays(0, 3), 3 * 2 * 2); // Spines, links up, links down.
    EXPECT_EQ(walk.GetDiameter(), 2);           // Spine, leaf.
}

TEST(LeafSpineTopology, PlanesAreDisjoint)
{
    const TopologyGraph graph =
        AddEndpoints(MakeLeafSpine(MakeParameters()), {std::vector<uint32_t>(31, 1), 4});
    EXPECT_EQ(graph.isSwitch.size(), 24 + 4 * 7);
    EXPECT_EQ(graph.links.size(), 4 * (24 + 24));
    CheckTopology(graph, "planes");
    const Routes routes = ComputeRoutes(graph);
    // Leaf 0 of plane 1 is switch number 7: it reaches its own plane only.
    EXPECT_EQ(RouteWalk(graph, routes).CountWays(7, 10), 12);
    EXPECT_EQ(routes.tables[7].Find(3).count, 0);
}

TEST(LeafSpineTopology, RefusesWhatNoTableOfRoutesHolds)
{
    LeafSpineParameters parameters = MakeParameters();
    parameters.leaves = 8000;
    parameters.spines = 193;
    parameters.serversPerLeaf = 1;
    ExpectError<InputError>([&] { MakeLeafSpine(parameters); },
                            "expected at most 8192 switches, got 8193");
    parameters.spines = 64;
    parameters.linksPerSpine = 1;
    ExpectError<InputError>([&] { MakeLeafSpine(parameters); },
                            "expected at most 262144 links between switches, got 512000");
}
