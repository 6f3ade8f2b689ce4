// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/random-stream.h"

#include <cmath>
#include <gtest/gtest.h>
#include <set>

using namespace ns3::rdma;

TEST(RandomStream, RepeatsItsNumbersForTheSameSeedAndStream)
{
    RandomStream first(7, 3);
    RandomStream second(7, 3);
    for (int i = 0; i < 1000; ++i)
    {
        ASSERT_EQ(first.Next(), second.Next()) << i;
    }
}

TEST(RandomStream, DiffersFromStreamToStreamAndFromSeedToSeed)
{
    std::set<uint64_t> firsts;
    for (uint64_t seed = 0; seed < 30; ++seed)
    {
        for (uint64_t stream = 0; stream < 30; ++stream)
        {
            firsts.insert(RandomStream(seed, stream).Next());
        }
    }
    EXPECT_EQ(firsts.size(), 900);
}

TEST(RandomStream, SharesHalfOfItsBitsWithTheNextStream)
{
    // Of 32 bits 16 differ, with variance 8: the mean of 10,000 has sigma sqrt(8 / 10^4) = 0.028.
    constexpr int PAIRS{10'000};
    double differing = 0;
    for (int stream = 0; stream < PAIRS; ++stream)
    {
        const uint32_t here = RandomStream(1, stream).Next32();
        const uint32_t there = RandomStream(1, stream + 1).Next32();
        differing += __builtin_popcount(here ^ there);
    }
    EXPECT_NEAR(differing / PAIRS, 16, 5 * 0.0283);
}

TEST(RandomStream, SpreadsEvenlyBetweenZeroAndOne)
{
    // A uniform number has mean 1/2 and variance 1/12; each tenth is hit with p = 0.1.
    constexpr int DRAWS{100'000};
    RandomStream random(5, 9);
    double sum = 0;
    int tenths[10] = {};
    for (int i = 0; i < DRAWS; ++i)
    {
        const double value = random.NextDouble();
        ASSERT_GE(value, 0);
        ASSERT_LT(value, 1);
        sum += value;
        ++tenths[static_cast<int>(value * 10)];
    }
    EXPECT_NEAR(sum / DRAWS, 0.5, 5 * std::sqrt(1.0 / 12 / DRAWS));
    for (const int count : tenths)
    {
        EXPECT_NEAR(count, DRAWS * 0.1, 5 * std::sqrt(DRAWS * 0.1 * 0.9));
    }
}
