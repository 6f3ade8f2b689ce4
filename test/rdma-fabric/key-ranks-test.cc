// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/key-ranks.h"

#include "ns3/random-stream.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

using namespace ns3::rdma;

namespace
{

/// @return the rank of each key by KeyRanks.
std::vector<uint32_t>
RankWithVectors(const std::vector<int32_t>& keys)
{
    KeyRanks ranks;
    for (uint32_t first = 0; first < keys.size(); first += KeyRanks::LANES)
    {
        // Lanes beyond the last key hold the smallest number: they must not count.
        KeyRanks::Vector lanes = INT32_MIN - KeyRanks::Vector{};
        for (uint32_t lane = 0; lane < KeyRanks::LANES && first + lane < keys.size(); ++lane)
        {
            lanes[lane] = keys[first + lane];
        }
        ranks.SetKeys(first, lanes);
    }
    ranks.Compute(static_cast<uint32_t>(keys.size()));
    std::vector<uint32_t> result;
    for (uint32_t number = 0; number < keys.size(); ++number)
    {
        result.push_back(ranks.GetRank(number));
    }
    return result;
}

} // namespace

TEST(KeyRanks, ARankIsTheNumberOfSmallerKeys)
{
    EXPECT_EQ(RankWithVectors({7}), (std::vector<uint32_t>{0}));
    EXPECT_EQ(RankWithVectors({30, 10, 20}), (std::vector<uint32_t>{2, 0, 1}));
    EXPECT_EQ(RankWithVectors({5, 4, 3, 2, 1}), (std::vector<uint32_t>{4, 3, 2, 1, 0}));
}

TEST(KeyRanks, AgreesWithASortForEachCount)
{
    RandomStream random(3, 1);
    for (uint32_t count = 1; count <= KeyRanks::MAX_KEYS; ++count)
    {
        std::vector<int32_t> keys;
        for (uint32_t number = 0; number < count; ++number)
        {
            // Different, since the lower bits are.
            keys.push_back(static_cast<int32_t>((random.Next32() >> 9 << 8) | number));
        }
        std::vector<int32_t> sorted = keys;
        std::sort(sorted.begin(), sorted.end());
        const std::vector<uint32_t> ranks = RankWithVectors(keys);
        for (uint32_t number = 0; number < count; ++number)
        {
            ASSERT_EQ(sorted[ranks[number]], keys[number]) << count << " keys, key " << number;
        }
    }
}
