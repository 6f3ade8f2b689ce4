// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/psn.h"

#include <gtest/gtest.h>

using namespace ns3::rdma;

TEST(Psn, KeepsTheLow24Bits)
{
    EXPECT_EQ(Psn(0x1000005).Get(), 5);
    EXPECT_EQ(Psn(0xffffffffffffffff).Get(), 0xffffff);
    EXPECT_EQ((Psn(0xffffff) + 1).Get(), 0);
    EXPECT_EQ((Psn(0xfffffe) + 5).Get(), 3);
    EXPECT_EQ((Psn(0) + Psn::MASK).Get(), 0xffffff); // 2^24 - 1 steps ahead are one step back.
}

TEST(Psn, DistanceGoesTheShortWayRound)
{
    EXPECT_EQ(Psn(5) - Psn(3), 2);
    EXPECT_EQ(Psn(3) - Psn(5), -2);
    EXPECT_EQ(Psn(0) - Psn(0xffffff), 1);
    EXPECT_EQ(Psn(0xffffff) - Psn(0), -1);
    EXPECT_EQ(Psn(0x7fffff) - Psn(0), (1 << 23) - 1); // The farthest that is still ahead.
    EXPECT_EQ(Psn(0x800000) - Psn(0), -(1 << 23));    // Half a circle counts as behind.
}

TEST(Psn, BeforeFollowsTheDistance)
{
    EXPECT_TRUE(Psn(0xffffff).IsBefore(Psn(0)));
    EXPECT_FALSE(Psn(0).IsBefore(Psn(0xffffff)));
    EXPECT_FALSE(Psn(7).IsBefore(Psn(7)));
    EXPECT_TRUE(Psn(6).IsBefore(Psn(7)));
}

TEST(Psn, ExpandsToTheNearestPacketNumber)
{
    EXPECT_EQ(Psn(5).Expand(0x1000003), 0x1000005);
    EXPECT_EQ(Psn(1).Expand(0x1000003), 0x1000001);
    EXPECT_EQ(Psn(0xffffff).Expand(0x1000003), 0xffffff);  // Back over the wrap.
    EXPECT_EQ(Psn(2).Expand(0x1fffffe), 0x2000002);        // Forward over the next.
    EXPECT_EQ(Psn(0x7fffff).Expand(0x3000000), 0x37fffff); // 2^23 - 1 ahead.
    EXPECT_EQ(Psn(0x800000).Expand(0x3000000), 0x2800000); // 2^23 behind.
}

TEST(Psn, ExpandUndoesTheCutToward24Bits)
{
    for (uint64_t reference = 1U << 23; reference < (uint64_t{1} << 40); reference = reference * 3)
    {
        for (const int64_t offset : {-8388608, -70000, -1, 0, 1, 70000, 8388607})
        {
            EXPECT_EQ(Psn(reference + offset).Expand(reference), reference + offset);
        }
    }
}
