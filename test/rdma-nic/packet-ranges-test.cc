// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/packet-ranges.h"

#include <gtest/gtest.h>
#include <random>
#include <set>
#include <vector>

using namespace ns3::rdma;

namespace
{
std::vector<uint64_t>
TakeAll(PacketRanges& ranges)
{
    std::vector<uint64_t> numbers;
    while (!ranges.IsEmpty())
    {
        numbers.push_back(ranges.TakeFirst());
    }
    return numbers;
}
} // namespace

TEST(PacketRanges, GivesNumbersInOrderAndOnce)
{
    PacketRanges ranges;
    ranges.Add(8, 10);
    ranges.Add(3, 5);
    ranges.Add(9, 11); // Overlaps.
    ranges.Add(5, 6);  // Touches.
    EXPECT_EQ(TakeAll(ranges), (std::vector<uint64_t>{3, 4, 5, 8, 9, 10}));
}

TEST(PacketRanges, AddingNothingChangesNothing)
{
    PacketRanges ranges;
    ranges.Add(5, 5);
    ranges.Add(6, 5);
    EXPECT_TRUE(ranges.IsEmpty());
}

TEST(PacketRanges, OneRangeMaySwallowMany)
{
    PacketRanges ranges;
    ranges.Add(10, 11);
    ranges.Add(20, 21);
    ranges.Add(30, 31);
    ranges.Add(9, 25);
    ranges.RemoveBefore(23);
    EXPECT_EQ(TakeAll(ranges), (std::vector<uint64_t>{23, 24, 30}));
}

TEST(PacketRanges, ContainsTheFirstButNotTheEndOfARange)
{
    PacketRanges ranges;
    ranges.Add(3, 5);
    ranges.Add(8, 9);
    for (const auto& [number, isIn] : {std::pair(2, false),
                                       std::pair(3, true),
                                       std::pair(4, true),
                                       std::pair(5, false),
                                       std::pair(8, true),
                                       std::pair(9, false)})
    {
        EXPECT_EQ(ranges.Contains(number), isIn) << number;
    }
}

TEST(PacketRanges, AgreesWithASetUnderRandomUse)
{
    std::mt19937 random(2);
    for (int round = 0; round < 200; ++round)
    {
        PacketRanges ranges;
        std::set<uint64_t> numbers;
        for (int step = 0; step < 100; ++step)
        {
            const uint64_t first = random() % 200;
            switch (random() % 4)
            {
            case 0:
            case 1: {
                const uint64_t end = first + random() % 12;
                ranges.Add(first, end);
                for (uint64_t number = first; number < end; ++number)
                {
                    numbers.insert(number);
                }
                break;
            }
            case 2:
                ranges.RemoveBefore(first / 4);
                numbers.erase(numbers.begin(), numbers.lower_bound(first / 4));
                break;
            default:
                if (!numbers.empty())
                {
                    ASSERT_EQ(ranges.TakeFirst(), *numbers.begin());
                    numbers.erase(numbers.begin());
                }
            }
            ASSERT_EQ(ranges.IsEmpty(), numbers.empty());
        }
        ASSERT_EQ(TakeAll(ranges), std::vector<uint64_t>(numbers.begin(), numbers.end()));
    }
}

TEST(PacketRanges, CountsItsNumbersOnce)
{
    PacketRanges ranges;
    EXPECT_EQ(ranges.GetCount(), 0);
    ranges.Add(3, 6);   // 3, 4, 5.
    ranges.Add(5, 8);   // 6 and 7 are new.
    ranges.Add(10, 11); // 10.
    EXPECT_EQ(ranges.GetCount(), 6);
    ranges.TakeFirst();
    EXPECT_EQ(ranges.GetCount(), 5);
}
