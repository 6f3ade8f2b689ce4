// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/simple-topologies.h"

#include "../test-files.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

TEST(SimpleTopologies, BackToBackIsOneLink)
{
    const TopologyGraph graph = MakeBackToBack(DataRate("25Gbps"), NanoSeconds(500));
    EXPECT_EQ(graph.GetServers(), (std::vector<uint32_t>{0, 1}));
    ASSERT_EQ(graph.links.size(), 1);
    EXPECT_EQ(graph.links[0].a, 0);
    EXPECT_EQ(graph.links[0].b, 1);
    EXPECT_EQ(graph.links[0].rate, DataRate("25Gbps"));
    EXPECT_EQ(graph.links[0].delay, NanoSeconds(500));
}

TEST(SimpleTopologies, StarPutsAllServersBehindOneSwitch)
{
    const TopologyGraph graph = MakeStar(5, DataRate("100Gbps"), MicroSeconds(1));
    EXPECT_EQ(graph.GetServerCount(), 5);
    EXPECT_EQ(graph.isSwitch.size(), 6);
    ASSERT_EQ(graph.links.size(), 5);
    for (uint32_t server = 0; server < 5; ++server)
    {
        EXPECT_EQ(graph.links[server].a, server);
        EXPECT_EQ(graph.links[server].b, 5);
    }
}

TEST(SimpleTopologies, DumbbellHasABottleneckOfItsOwnRate)
{
    const TopologyGraph graph =
        MakeDumbbell({3, DataRate("100Gbps"), DataRate("40Gbps"), MicroSeconds(1)});
    EXPECT_EQ(graph.GetServerCount(), 6);
    ASSERT_EQ(graph.links.size(), 7);
    for (uint32_t server = 0; server < 6; ++server)
    {
        EXPECT_EQ(graph.links[server].a, server);
        EXPECT_EQ(graph.links[server].b, server < 3 ? 6 : 7); // Left behind 6, right behind 7.
        EXPECT_EQ(graph.links[server].rate, DataRate("100Gbps"));
    }
    EXPECT_EQ(graph.links[6].a, 6);
    EXPECT_EQ(graph.links[6].b, 7);
    EXPECT_EQ(graph.links[6].rate, DataRate("40Gbps"));
}

TEST(SimpleTopologies, RefuseTooFewServersAndIdleRates)
{
    const DataRate rate("1Gbps");
    const Time delay = MicroSeconds(1);
    EXPECT_EQ(GetInputError([&] { MakeStar(1, rate, delay); }),
              "star: expected 2 to 100000 servers, got 1");
    EXPECT_EQ(GetInputError([&] {
                  MakeDumbbell({0, rate, rate, delay});
              }),
              "dumbbell, each side: expected 1 to 100000 servers, got 0");
    EXPECT_THROW(MakeBackToBack(DataRate(0), delay), InputError);
    EXPECT_THROW(MakeDumbbell({1, rate, DataRate(0), delay}), InputError);
}
