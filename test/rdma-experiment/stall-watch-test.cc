// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/stall-watch.h"

#include <gtest/gtest.h>

using namespace ns3::rdma;

TEST(StallWatch, LooksFourTimesWithinTheLimit)
{
    StallWatch watch(100, 1000);
    EXPECT_EQ(watch.GetNextTime(), 1025);
    watch.Look(1, true);
    EXPECT_EQ(watch.GetNextTime(), 1050);
}

TEST(StallWatch, FindsAStallWhenTheLimitHasPassedWithoutProgress)
{
    StallWatch watch(100, 0);
    EXPECT_FALSE(watch.Look(7, true)); // At 25: progress.
    for (const Tick at : {50, 75, 100})
    {
        EXPECT_EQ(watch.GetNextTime(), at);
        EXPECT_FALSE(watch.Look(7, true)) << at;
    }
    EXPECT_TRUE(watch.Look(7, true)); // At 125, a hundred after the progress.
}

TEST(StallWatch, AnyProgressStartsAnew)
{
    StallWatch watch(100, 0);
    for (uint64_t look = 1; look < 20; ++look)
    {
        EXPECT_FALSE(watch.Look(look / 3, true)) << look; // Every third time.
    }
}

TEST(StallWatch, WithoutWorkWaitingIsNoStall)
{
    StallWatch watch(100, 0);
    for (int look = 0; look < 20; ++look)
    {
        EXPECT_FALSE(watch.Look(0, false));
    }
}

TEST(StallWatch, LimitsOfLessThanFourTicksMoveOnToo)
{
    StallWatch watch(1, 0);
    EXPECT_EQ(watch.GetNextTime(), 1);
    watch.Look(1, true);
    EXPECT_EQ(watch.GetNextTime(), 2);
}

TEST(StallWatch, DoesNotCheckAfterItsEnd)
{
    StallWatch watch(100, 0);
    watch.End();
    EXPECT_EQ(watch.GetNextTime(), TICK_NEVER);
}

TEST(StallWatch, LeavesOutLooksAtAnIdleTimeButTheLast)
{
    StallWatch all(100, 0);
    StallWatch few(100, 0);
    // Nothing happens before 10,010. Looks at 25, 50, ...: the last one before is at 10,000.
    while (all.GetNextTime() < 10'010)
    {
        EXPECT_FALSE(all.Look(7, false));
    }
    few.SkipIdle(10'010);
    EXPECT_EQ(few.GetNextTime(), 10'000);
    EXPECT_FALSE(few.Look(7, false));
    EXPECT_EQ(few.GetNextTime(), all.GetNextTime());
    // A stall is found at the same time, a hundred after the last look without work.
    for (Tick at = 10'025; at < 10'100; at += 25)
    {
        EXPECT_FALSE(all.Look(7, true));
        EXPECT_FALSE(few.Look(7, true));
    }
    EXPECT_TRUE(all.Look(7, true));
    EXPECT_TRUE(few.Look(7, true));
}

TEST(StallWatch, LeavesNothingOutOfATimeThatIsShorterThanALook)
{
    StallWatch watch(100, 0);
    watch.SkipIdle(25); // The event at 25 itself counts for the look at 25.
    EXPECT_EQ(watch.GetNextTime(), 25);
    watch.SkipIdle(49);
    EXPECT_EQ(watch.GetNextTime(), 25);
    watch.SkipIdle(51);
    EXPECT_EQ(watch.GetNextTime(), 50);
}
