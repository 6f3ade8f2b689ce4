// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/zero-time-watch.h"

#include <gtest/gtest.h>

using namespace ns3::rdma;

TEST(ZeroTimeWatch, FindsAMillionEventsAtOneTimeWithoutProgress)
{
    ZeroTimeWatch watch;
    EXPECT_FALSE(watch.Look(7, 100, 3, 1));
    EXPECT_FALSE(watch.Look(7, 100 + 999'999, 3, 1));
    EXPECT_TRUE(watch.Look(7, 100 + 1'000'000, 3, 1));
}

TEST(ZeroTimeWatch, BeginsAnewWhenTimeOrProgressGoesOn)
{
    ZeroTimeWatch watch;
    watch.Look(7, 0, 3, 1);
    EXPECT_FALSE(watch.Look(8, 2'000'000, 3, 1));
    EXPECT_FALSE(watch.Look(8, 4'000'000, 4, 1)); // A frame has moved.
    EXPECT_TRUE(watch.Look(8, 5'000'000, 4, 1));
}

TEST(ZeroTimeWatch, LetsEachOfManyFlowsAndPortsHaveItsTimersAtOneTime)
{
    // 100,000 flows or ports x 16 events.
    ZeroTimeWatch watch;
    watch.Look(7, 0, 3, 100'000);
    EXPECT_FALSE(watch.Look(7, 1'599'999, 3, 100'000));
    EXPECT_TRUE(watch.Look(7, 1'600'000, 3, 100'000));
}
