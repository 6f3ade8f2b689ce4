// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/max-min-shares.h"

#include "ns3/random-stream.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

std::vector<double>
Divide(std::vector<double> capacities, std::vector<MaxMinShares::Flow> flows)
{
    MaxMinShares(std::move(capacities)).Divide(flows);
    std::vector<double> shares;
    for (const auto& flow : flows)
    {
        shares.push_back(flow.share);
    }
    return shares;
}

TEST(MaxMinShares, AFlowAloneHasTheSlowerOfItsTwoLinks)
{
    EXPECT_EQ(Divide({10, 4}, {{0, 1}}), std::vector<double>({4}));
    EXPECT_EQ(Divide({3, 4}, {{0, 1}}), std::vector<double>({3}));
}

TEST(MaxMinShares, TheTwoDirectionsOfALinkAreApart)
{
    EXPECT_EQ(Divide({10, 10}, {{0, 1}, {1, 0}}), std::vector<double>({10, 10}));
}

TEST(MaxMinShares, WhatAFlowCannotUseGoesToTheOthersOfItsLink)
{
    // Three flows into server 2 have 2 of its 6 each; the first of server 0 has the 4 that are
    // left.
    EXPECT_EQ(Divide({6, 6, 6, 6, 6}, {{0, 1}, {0, 2}, {3, 2}, {4, 2}}),
              std::vector<double>({4, 2, 2, 2}));
}

TEST(MaxMinShares, NoFlowsAndNoCapacityAreNoTrouble)
{
    EXPECT_TRUE(Divide({1, 1}, {}).empty());
    EXPECT_EQ(Divide({0, 5, 5}, {{0, 1}, {2, 1}}), std::vector<double>({0, 5}));
}

TEST(MaxMinShares, OfRandomFlowsEachMeetsAFullLinkOnWhichNoneHasMore)
{
    RandomStream random(3, 1);
    constexpr uint32_t SERVERS{12};
    std::vector<MaxMinShares::Flow> flows;
    for (int i = 0; i < 100; ++i)
    {
        const uint32_t src = random.Next32() % SERVERS;
        flows.push_back({src, (src + 1 + random.Next32() % (SERVERS - 1)) % SERVERS});
    }
    MaxMinShares(std::vector<double>(SERVERS, 1)).Divide(flows);
    for (const auto& flow : flows)
    {
        double out = 0;
        double in = 0;
        double mostOut = 0;
        double mostIn = 0;
        for (const auto& other : flows)
        {
            out += other.src == flow.src ? other.share : 0;
            in += other.dst == flow.dst ? other.share : 0;
            mostOut = std::max(mostOut, other.src == flow.src ? other.share : 0);
            mostIn = std::max(mostIn, other.dst == flow.dst ? other.share : 0);
        }
        constexpr double NEAR{1e-9};
        EXPECT_LT(std::max(out, in), 1 + NEAR);
        const bool isHeldOut = out > 1 - NEAR && flow.share > mostOut - NEAR;
        const bool isHeldIn = in > 1 - NEAR && flow.share > mostIn - NEAR;
        EXPECT_TRUE(isHeldOut || isHeldIn) << flow.src << " to " << flow.dst;
    }
}

} // namespace
