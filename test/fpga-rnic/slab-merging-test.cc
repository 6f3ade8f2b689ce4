// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/slab-merging.h"

#include "ns3/random-stream.h"
#include "ns3/slab-entry.h"

#include <gtest/gtest.h>

using namespace ns3::rdma;

namespace
{

const SlabRange RANGE{16, 1 << 12, 4};

std::vector<uint32_t>
Encode(const std::vector<SlabEntry>& entries)
{
    std::vector<uint32_t> codes;
    for (const SlabEntry& entry : entries)
    {
        codes.push_back(entry.Encode());
    }
    return codes;
}

/// Slabs of random sizes that cover a part of the range, shuffled; and which units they cover.
std::vector<uint32_t>
MakeRandomSlabs(uint64_t seed, const SlabRange& range, std::vector<bool>& covered)
{
    RandomStream random(seed, 1);
    std::vector<uint32_t> codes;
    covered.assign(range.firstUnit + range.units, false);
    for (uint32_t unit = range.firstUnit; unit < range.firstUnit + range.units;)
    {
        const SlabEntry slab = SlabEntry::Largest(unit,
                                                  range.firstUnit + range.units,
                                                  random.Next32() % (range.maxType + 1));
        if (random.Next32() % 3 > 0)
        {
            codes.push_back(slab.Encode());
            std::fill_n(covered.begin() + unit, slab.CountUnits(), true);
            std::swap(codes.back(), codes[random.Next32() % codes.size()]);
        }
        unit += slab.CountUnits();
    }
    return codes;
}

class SlabMerging : public testing::TestWithParam<SlabMergeMethod>
{
};

} // namespace

TEST_P(SlabMerging, NeighborsBecomeTheSlabThatTheirAddressesAllow)
{
    // 17 and 18 lie side by side, but not in a slab of 64 bytes; 18 and 19 do.
    EXPECT_EQ(MergeSlabs(Encode({{19, 0}, {17, 0}, {18, 0}}), RANGE, GetParam()),
              Encode({{17, 0}, {18, 1}}));
    EXPECT_EQ(MergeSlabs(Encode({{24, 3}, {16, 2}, {20, 1}, {23, 0}, {22, 0}}), RANGE, GetParam()),
              Encode({{16, 4}}));
    // 512 bytes are the largest.
    EXPECT_EQ(MergeSlabs(Encode({{32, 4}, {16, 4}}), RANGE, GetParam()),
              Encode({{16, 4}, {32, 4}}));
    EXPECT_EQ(MergeSlabs({}, RANGE, GetParam()), std::vector<uint32_t>());
}

TEST_P(SlabMerging, TheSameUnitsAreCoveredByTheFewestSlabs)
{
    for (uint64_t seed = 1; seed <= 20; ++seed)
    {
        std::vector<bool> covered;
        const auto codes = MakeRandomSlabs(seed, RANGE, covered);
        std::vector<bool> merged(covered.size(), false);
        for (const uint32_t code : MergeSlabs(codes, RANGE, GetParam()))
        {
            const SlabEntry slab = SlabEntry::Decode(code);
            for (uint32_t unit = slab.unit; unit < slab.unit + slab.CountUnits(); ++unit)
            {
                ASSERT_FALSE(merged[unit]);
                merged[unit] = true;
            }
            // The slab's other half is not all free, or the slab would be twice as large.
            const uint32_t buddy = slab.unit ^ slab.CountUnits();
            bool isBuddyFree = slab.type < RANGE.maxType;
            for (uint32_t unit = buddy; isBuddyFree && unit < buddy + slab.CountUnits(); ++unit)
            {
                isBuddyFree = unit < covered.size() && covered[unit];
            }
            ASSERT_FALSE(isBuddyFree);
        }
        ASSERT_EQ(merged, covered);
    }
}

TEST_P(SlabMerging, ThreadsAndMethodsAgree)
{
    const SlabRange range{64, 1 << 16, 6};
    std::vector<bool> covered;
    const auto codes = MakeRandomSlabs(3, range, covered);
    const auto expected = MergeSlabs(codes, range, SlabMergeMethod::RADIX_SORT);
    for (const uint32_t threads : {1U, 2U, 3U, 7U})
    {
        EXPECT_EQ(MergeSlabs(codes, range, GetParam(), threads), expected);
    }
}

INSTANTIATE_TEST_SUITE_P(Methods,
                         SlabMerging,
                         testing::Values(SlabMergeMethod::BITMAP, SlabMergeMethod::RADIX_SORT));
