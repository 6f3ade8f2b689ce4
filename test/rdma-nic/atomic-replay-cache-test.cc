// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/atomic-replay-cache.h"

#include <gtest/gtest.h>

using namespace ns3::rdma;

TEST(AtomicReplayCache, FindsWhatWasAdded)
{
    AtomicReplayCache cache(4);
    EXPECT_FALSE(cache.Find(Psn(0)).has_value());
    cache.Add(Psn(0xffffff), 7);
    cache.Add(Psn(0), 0); // A value of zero is a value.
    EXPECT_EQ(cache.Find(Psn(0xffffff)), 7);
    EXPECT_EQ(cache.Find(Psn(0)), 0);
    EXPECT_FALSE(cache.Find(Psn(1)).has_value());
}

TEST(AtomicReplayCache, ForgetsTheOldestFirst)
{
    AtomicReplayCache cache(3);
    for (uint32_t psn = 0; psn < 5; ++psn)
    {
        cache.Add(Psn(psn), 100 + psn);
    }
    EXPECT_FALSE(cache.Find(Psn(0)).has_value());
    EXPECT_FALSE(cache.Find(Psn(1)).has_value());
    EXPECT_EQ(cache.Find(Psn(2)), 102);
    EXPECT_EQ(cache.Find(Psn(3)), 103);
    EXPECT_EQ(cache.Find(Psn(4)), 104);
}

TEST(AtomicReplayCache, WithoutPlaceKeepsNothing)
{
    AtomicReplayCache cache(0);
    cache.Add(Psn(1), 5);
    EXPECT_FALSE(cache.Find(Psn(1)).has_value());
}
