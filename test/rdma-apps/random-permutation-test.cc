// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/random-permutation.h"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace ns3::rdma
{
namespace
{

TEST(RandomPermutation, HasEachNumberOnce)
{
    for (const uint64_t count : {1, 2, 3, 4, 5, 15, 16, 17, 1000, 4096, 4097})
    {
        const RandomPermutation order(count, RandomStream(1, 2));
        std::vector<bool> seen(count, false);
        for (uint64_t place = 0; place < count; ++place)
        {
            const uint64_t number = order.Get(place);
            ASSERT_LT(number, count);
            EXPECT_FALSE(seen[number]) << number << " of " << count;
            seen[number] = true;
        }
    }
}

TEST(RandomPermutation, IsTheSameForTheSameStreamAndAnotherForAnother)
{
    constexpr uint64_t COUNT{1000};
    const RandomPermutation order(COUNT, RandomStream(1, 2));
    const RandomPermutation same(COUNT, RandomStream(1, 2));
    const RandomPermutation other(COUNT, RandomStream(2, 2));
    uint64_t equal = 0;
    for (uint64_t place = 0; place < COUNT; ++place)
    {
        EXPECT_EQ(order.Get(place), same.Get(place));
        equal += order.Get(place) == other.Get(place);
    }
    EXPECT_LT(equal, 10U); // One is expected, with a deviation of one.
}

TEST(RandomPermutation, PlacesAndNumbersAreIndependent)
{
    // Of independent uniform numbers the correlation is 0 with a deviation of 1 / sqrt(n) = 0.01.
    constexpr uint64_t COUNT{10'000};
    const RandomPermutation order(COUNT, RandomStream(1, 2));
    const double mean = (COUNT - 1) / 2.0;
    double product = 0;
    double square = 0;
    for (uint64_t place = 0; place < COUNT; ++place)
    {
        const double x = static_cast<double>(place) - mean;
        product += x * (static_cast<double>(order.Get(place)) - mean);
        square += x * x;
    }
    EXPECT_LT(std::abs(product / square), 0.04);
}

TEST(RandomPermutation, TakesTheLargestCounts)
{
    constexpr uint64_t COUNT{UINT64_MAX};
    const RandomPermutation order(COUNT, RandomStream(1, 2));
    EXPECT_NE(order.Get(0), order.Get(COUNT - 1));
}

} // namespace
} // namespace ns3::rdma
