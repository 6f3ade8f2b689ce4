// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/leaving-frames.h"

#include <gtest/gtest.h>

using namespace ns3::rdma;

TEST(LeavingFrames, TheFrameThatEnteredFirstLeavesFirst)
{
    LeavingFrames frames;
    EXPECT_TRUE(frames.IsEmpty());
    frames.Push({7, 100, 30});
    frames.Push({5, 200, 20});
    EXPECT_EQ(frames.GetFirst().index, 7);
    EXPECT_EQ(frames.GetFirst().wireBytes, 100);
    EXPECT_EQ(frames.GetFirst().readyAt, 30);
    frames.Pop();
    EXPECT_EQ(frames.GetFirst().index, 5);
    frames.Pop();
    EXPECT_TRUE(frames.IsEmpty());
}

TEST(LeavingFrames, TheOrderIsKeptWhileTheMemoryGrows)
{
    // Three frames enter for each two that leave: up to 1000 of 3000 are inside at a time, and the
    // memory grows while the oldest frame is at various places.
    LeavingFrames frames;
    uint32_t next = 0;
    for (uint32_t entered = 0; entered < 3000; ++entered)
    {
        frames.Push({entered, entered + 1, entered + 2});
        if (entered % 3 > 0)
        {
            ASSERT_EQ(frames.GetFirst().index, next);
            ASSERT_EQ(frames.GetFirst().wireBytes, next + 1);
            ASSERT_EQ(frames.GetFirst().readyAt, next + 2);
            frames.Pop();
            ++next;
        }
    }
    EXPECT_EQ(next, 2000);
    for (; next < 3000; ++next)
    {
        ASSERT_EQ(frames.GetFirst().index, next);
        frames.Pop();
    }
    EXPECT_TRUE(frames.IsEmpty());
}
