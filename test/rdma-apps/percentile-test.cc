// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/percentile.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

using namespace ns3::rdma;

TEST(Percentile, TheNearestRankIsTheSmallestValueWithAtLeastThatShare)
{
    EXPECT_EQ(GetNearestRank(10, 500), 4U);      // ceil(10 x 0.5) = 5, from 1.
    EXPECT_EQ(GetNearestRank(10, 990), 9U);      // ceil(9.9) = 10.
    EXPECT_EQ(GetNearestRank(2000, 999), 1997U); // ceil(1998) = 1998.
    EXPECT_EQ(GetNearestRank(7, 0), 0U);
    EXPECT_EQ(GetNearestRank(1, 1000), 0U);
}

TEST(Percentile, IsThatOfTheSortedSample)
{
    std::mt19937_64 random(1);
    std::vector<int64_t> sample;
    for (int i = 0; i < 5000; ++i)
    {
        sample.push_back(static_cast<int64_t>(random() >> 2));
    }
    std::vector<int64_t> sorted = sample;
    std::sort(sorted.begin(), sorted.end());
    // Ranks 2500, 4950, 4995 and 5000 of 5000, from 1.
    EXPECT_EQ(TakePercentile(sample, 500), sorted[2499]);
    EXPECT_EQ(TakePercentile(sample, 990), sorted[4949]);
    EXPECT_EQ(TakePercentile(sample, 999), sorted[4994]);
    EXPECT_EQ(TakePercentile(sample, 1000), sorted.back());
    EXPECT_EQ(TakePercentile(sample, 0), sorted.front());
}
