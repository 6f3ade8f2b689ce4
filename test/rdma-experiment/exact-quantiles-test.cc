// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/exact-quantiles.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <vector>

using namespace ns3::rdma;

TEST(ExactQuantiles, AreThoseOfTheSortedSample)
{
    std::mt19937_64 random(1);
    for (const int bits : {1, 8, 11, 12, 24, 40, 62})
    {
        ExactQuantiles quantiles;
        std::vector<int64_t> sorted;
        for (int i = 0; i < 5000; ++i)
        {
            sorted.push_back(static_cast<int64_t>(random() >> (64 - bits)));
            quantiles.Add(sorted.back());
        }
        std::sort(sorted.begin(), sorted.end());
        EXPECT_EQ(quantiles.GetCount(), 5000U);
        EXPECT_EQ(quantiles.GetPerMille(500), sorted[2499]);
        EXPECT_EQ(quantiles.GetPerMille(990), sorted[4949]);
        EXPECT_EQ(quantiles.GetPerMille(999), sorted[4994]);
        EXPECT_EQ(quantiles.GetPerMille(1000), sorted.back());
    }
}

TEST(ExactQuantiles, ASingleValueIsAllOfThem)
{
    ExactQuantiles quantiles;
    quantiles.Add(INT64_MAX);
    EXPECT_EQ(quantiles.GetPerMille(500), INT64_MAX);
    EXPECT_EQ(quantiles.GetPerMille(999), INT64_MAX);
}

TEST(ExactQuantiles, TheMeanIsExactInAnyOrder)
{
    ExactQuantiles quantiles;
    quantiles.Add(int64_t{1} << 60);
    for (int i = 0; i < 256; ++i)
    {
        quantiles.Add(1); // Each alone is lost in a double that has 2^60.
    }
    EXPECT_EQ(quantiles.GetMean() * 257, static_cast<double>((int64_t{1} << 60) + 256));
}
