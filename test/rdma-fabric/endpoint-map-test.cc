// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/endpoint-map.h"

#include <gtest/gtest.h>

using namespace ns3::rdma;

namespace
{

/// Three nodes; server 1 has a second port and a second NIC of two ports.
EndpointMap
MakeMap()
{
    return EndpointMap(3, {{1, 0, 1}, {1, 1, 0}, {1, 1, 1}});
}

} // namespace

TEST(EndpointMap, TheFirstPortOfAServerHasItsNodeIdAndTheOthersFollowTheNodes)
{
    const EndpointMap map = MakeMap();
    EXPECT_EQ(map.GetIdCount(), 6);
    EXPECT_EQ(map.Find({1, 0, 0}), 1);
    EXPECT_EQ(map.Find({1, 0, 1}), 3);
    EXPECT_EQ(map.Find({1, 1, 1}), 5);
    for (uint32_t id = 0; id < map.GetIdCount(); ++id)
    {
        EXPECT_EQ(map.Find(map.Get(id)), id);
    }
}

TEST(EndpointMap, AnotherPortOfTheSameNicIsFoundAndNoOtherNics)
{
    const EndpointMap map = MakeMap();
    EXPECT_EQ(map.FindPort(1, 1), 3);
    EXPECT_EQ(map.FindPort(3, 0), 1);
    EXPECT_EQ(map.FindPort(5, 0), 4);
    EXPECT_EQ(map.FindPort(2, 1), EndpointMap::NONE);
    EXPECT_EQ(map.Find({2, 1, 0}), EndpointMap::NONE);
}

TEST(EndpointMap, CountsNicsAndListsEndpointsOfAServer)
{
    const EndpointMap map = MakeMap();
    EXPECT_FALSE(map.IsPlain());
    EXPECT_TRUE(EndpointMap(3, {}).IsPlain());
    EXPECT_EQ(map.CountNics(1), 2);
    EXPECT_EQ(map.CountNics(2), 1);
    EXPECT_EQ(map.GetEndpoints(1), (std::vector<uint32_t>{1, 3, 4, 5}));
    EXPECT_EQ(map.GetEndpoints(2), std::vector<uint32_t>{2});
}
