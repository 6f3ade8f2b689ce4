// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/frame-pool.h"

#include <gtest/gtest.h>

using namespace ns3::rdma;

TEST(FramePool, HandsOutTheFrameThatWasFreedLast)
{
    FramePool pool;
    const FrameIndex a = pool.Allocate();
    const FrameIndex b = pool.Allocate();
    const FrameIndex c = pool.Allocate();
    pool.Free(a);
    pool.Free(c);
    EXPECT_EQ(pool.Allocate(), c);
    EXPECT_EQ(pool.Allocate(), a);
    const FrameIndex d = pool.Allocate();
    EXPECT_NE(d, a);
    EXPECT_NE(d, b);
    EXPECT_NE(d, c);
}

TEST(FramePool, CountsFramesInUseAndTheirPeak)
{
    FramePool pool;
    EXPECT_EQ(pool.GetInUse(), 0);
    const FrameIndex a = pool.Allocate();
    const FrameIndex b = pool.Allocate();
    EXPECT_EQ(pool.GetInUse(), 2);
    pool.Free(a);
    EXPECT_EQ(pool.GetInUse(), 1);
    pool.Allocate();
    EXPECT_EQ(pool.GetPeak(), 2);
    pool.Free(b);
    pool.Allocate();
    pool.Allocate();
    EXPECT_EQ(pool.GetInUse(), 3);
    EXPECT_EQ(pool.GetPeak(), 3);
}

TEST(FramePool, NeverMovesAFrame)
{
    FramePool pool;
    const FrameIndex first = pool.Allocate();
    Frame* const place = &pool[first];
    place->psn = 77;
    for (int i = 0; i < 100'000; ++i)
    {
        pool[pool.Allocate()].psn = i;
    }
    EXPECT_EQ(&pool[first], place);
    EXPECT_EQ(place->psn, 77);
}
