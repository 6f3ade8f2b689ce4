// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/burst-limit.h"

#include <gtest/gtest.h>

using namespace ns3::rdma;

TEST(BurstLimit, BeginsBurstsAtEqualDistances)
{
    BurstLimit limit(3, 100);
    ASSERT_TRUE(limit.IsSet());
    EXPECT_TRUE(limit.Allows(0));
    limit.Take(2);
    EXPECT_TRUE(limit.Allows(1));
    limit.Take(2); // A list may be longer than what is left.
    EXPECT_TRUE(limit.IsAtEnd());
    EXPECT_FALSE(limit.Allows(99));
    EXPECT_EQ(limit.GetNext(), 100);
    EXPECT_TRUE(limit.Allows(100));
}

TEST(BurstLimit, DoesNotDelayTheNextBurstByALateOne)
{
    BurstLimit limit(1, 100);
    EXPECT_TRUE(limit.Allows(0));
    limit.Take(1);
    EXPECT_TRUE(limit.Allows(250)); // The one of 100.
    limit.Take(1);
    EXPECT_TRUE(limit.Allows(250)); // The one of 200.
    limit.Take(1);
    EXPECT_FALSE(limit.Allows(299));
    EXPECT_EQ(limit.GetNext(), 300);
}

TEST(BurstLimit, IsNotSetByDefault)
{
    EXPECT_FALSE(BurstLimit().IsSet());
}
