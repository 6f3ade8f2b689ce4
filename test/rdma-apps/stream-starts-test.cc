// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/stream-starts.h"

#include <gtest/gtest.h>

namespace ns3::rdma
{
namespace
{

constexpr Tick US{1'000'000};

/// 16 KiB messages of 2 queue pairs at 2 Gb/s together.
StreamGroup
MakePaced(uint32_t sender)
{
    return {sender, 9, 2, 16384, DataRate("2Gbps")};
}

TEST(StreamStarts, AListOfAQueuePairTakesAsLongAsItsShareOfTheRate)
{
    // 10 x 16384 x 8 bits at 1 Gb/s of each queue pair.
    EXPECT_EQ(GetListInterval(MakePaced(0), 10), 1'310'720'000);
    EXPECT_EQ(GetListInterval({0, 9, 2, 16384, DataRate(0)}, 10), 0);
}

TEST(StreamStarts, PacedSendersOfAServerDivideTheTimeBetweenTwoLists)
{
    // Two groups of two on server 0: four senders; server 1 has two of its own.
    StreamStarts starts({MakePaced(0), MakePaced(0), MakePaced(1)}, std::nullopt);
    EXPECT_TRUE(starts.IsSpread());
    for (const Tick start : {0, 100, 200, 300})
    {
        EXPECT_EQ(starts.TakeNext(0, 400), start);
    }
    EXPECT_EQ(starts.TakeNext(1, 400), 0);
    EXPECT_EQ(starts.TakeNext(1, 400), 200);
}

TEST(StreamStarts, SendersWithoutARateBeginAMicrosecondAfterEachOther)
{
    StreamStarts starts({{0, 9, 3, 16384, DataRate(0)}}, std::nullopt);
    EXPECT_EQ(starts.TakeNext(0, 0), 0);
    EXPECT_EQ(starts.TakeNext(0, 0), US);
    EXPECT_EQ(starts.TakeNext(0, 0), 2 * US);
}

TEST(StreamStarts, AGivenIntervalHoldsForPacedSendersToo)
{
    StreamStarts starts({MakePaced(0)}, 5 * US);
    EXPECT_FALSE(starts.IsSpread());
    EXPECT_EQ(starts.TakeNext(0, 400), 0);
    EXPECT_EQ(starts.TakeNext(0, 400), 5 * US);
}

TEST(StreamStarts, PostedPayloadCountsTheListsWithinTheMeasuredTime)
{
    // A list of one message of 1000 bytes takes 8 us at 1 Gb/s; of two queue pairs with 2 Gb/s, one
    // starts at 0, the other at 4 us.
    const std::vector<StreamGroup> groups{{0, 9, 2, 1000, DataRate("2Gbps")}};

    struct Case
    {
        Tick from;
        Tick until;
        double lists;
    };

    for (const auto& [from, until, lists] : {Case{0, 16 * US, 4},      // 0, 4, 8, 12.
                                             Case{0, 16 * US + 1, 5},  // And 16.
                                             Case{4 * US, 12 * US, 2}, // 4, 8.
                                             Case{US, 4 * US, 0}})
    {
        const PacedPayload payload = ComputePacedPayload(groups, 1, std::nullopt, from, until);
        EXPECT_DOUBLE_EQ(payload.posted, lists * 1000);
        // 2 Gb/s are 250 bytes per us.
        EXPECT_DOUBLE_EQ(payload.asked, static_cast<double>(until - from) / US * 250);
        EXPECT_EQ(payload.longest, 8 * US);
    }
}

} // namespace
} // namespace ns3::rdma
