// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/priority-arbiter.h"
#include "ns3/round-robin-arbiter.h"

#include <array>
#include <gtest/gtest.h>

using namespace ns3::rdma;

TEST(PriorityArbiter, GrantsTheLowestInput)
{
    PriorityArbiter arbiter;
    EXPECT_FALSE(arbiter.Grant(0));
    EXPECT_EQ(arbiter.Grant(0b110), 1);
    EXPECT_EQ(arbiter.Grant(0b110), 1);
    EXPECT_EQ(arbiter.Grant(uint64_t{1} << 63), 63);
}

TEST(RoundRobinArbiter, GrantsEachInputItsShare)
{
    RoundRobinArbiter arbiter;
    std::array<int, 64> grants{};
    for (int i = 0; i < 300; ++i)
    {
        ++grants[*arbiter.Grant(uint64_t{1} << 63 | 0b101)];
    }
    EXPECT_EQ(grants[0], 100);
    EXPECT_EQ(grants[2], 100);
    EXPECT_EQ(grants[63], 100);
}

TEST(RoundRobinArbiter, SkipsInputsThatHaveNothing)
{
    RoundRobinArbiter arbiter;
    EXPECT_EQ(arbiter.Grant(0b1000), 3);
    EXPECT_FALSE(arbiter.Grant(0));
    EXPECT_EQ(arbiter.Grant(0b0111), 0);
    EXPECT_EQ(arbiter.Grant(0b0111), 1);
    EXPECT_EQ(arbiter.Grant(0b0001), 0);
}
