// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/key-distribution.h"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

using namespace ns3::rdma;

namespace
{
constexpr uint64_t DRAWS{200'000};

std::vector<uint64_t>
Count(const KeyDistribution& keys, uint64_t count, uint64_t seed)
{
    RandomStream random(seed, 1);
    std::vector<uint64_t> counts(count, 0);
    for (uint64_t i = 0; i < DRAWS; ++i)
    {
        ++counts.at(keys.Draw(random));
    }
    return counts;
}
} // namespace

TEST(KeyDistribution, DrawsAreWithinFourStandardDeviationsOfTheirProbability)
{
    constexpr uint64_t KEYS{50};
    for (const double exponent : {0.0, 0.5, 0.99, 1.0, 2.0})
    {
        const KeyDistribution keys(KEYS, exponent);
        double norm = 0;
        for (uint64_t key = 1; key <= KEYS; ++key)
        {
            norm += std::pow(key, -exponent);
        }
        const std::vector<uint64_t> counts = Count(keys, KEYS, 7);
        for (uint64_t key = 0; key < KEYS; ++key)
        {
            const double probability = std::pow(key + 1, -exponent) / norm; // Zipf's law.
            EXPECT_NEAR(keys.GetProbability(key), probability, 1e-12);
            const double deviation = std::sqrt(DRAWS * probability * (1 - probability));
            EXPECT_NEAR(counts[key], DRAWS * probability, 4 * deviation) << exponent << " " << key;
        }
    }
}

TEST(KeyDistribution, OneKeyIsAlwaysDrawn)
{
    EXPECT_EQ(Count(KeyDistribution(1, 0), 1, 1)[0], DRAWS);
    EXPECT_EQ(Count(KeyDistribution(1, 0.99), 1, 1)[0], DRAWS);
}

TEST(KeyDistribution, EachDrawTakesOneRandomNumber)
{
    RandomStream used(3, 4);
    RandomStream same(3, 4);
    KeyDistribution(1000, 0.99).Draw(used);
    KeyDistribution(1000, 0).Draw(used);
    same.NextDouble();
    same.NextDouble();
    EXPECT_EQ(used.Next(), same.Next());
}
