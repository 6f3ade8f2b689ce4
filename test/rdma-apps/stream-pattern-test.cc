// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/stream-pattern.h"

#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

namespace ns3::rdma
{
namespace
{

StreamPlaces
MakePlaces(uint32_t senders, uint32_t receivers)
{
    StreamPlaces places{std::vector<uint32_t>(senders), std::vector<uint32_t>(receivers)};
    std::iota(places.senders.begin(), places.senders.end(), 0);
    std::iota(places.receivers.begin(), places.receivers.end(), senders);
    return places;
}

/// By receiver: queue pairs and bits per second.
std::map<uint32_t, std::pair<uint64_t, uint64_t>>
SumByReceiver(const std::vector<StreamGroup>& groups)
{
    std::map<uint32_t, std::pair<uint64_t, uint64_t>> sums;
    for (const StreamGroup& group : groups)
    {
        sums[group.receiver].first += group.queuePairs;
        sums[group.receiver].second += group.rate.GetBitRate();
    }
    return sums;
}

TEST(StreamPattern, LofarsNodeHas1627QueuePairsOnAverage)
{
    // Eq. 3.1: 488 x 80 / 24 = 1626.7.
    EXPECT_EQ(LofarPattern::CountQueuePairs(488, 80, 24), 1627U);
    // The 126 FPGAs of section 2.1.1: 488 x 126 / 24 = 2562 exactly.
    EXPECT_EQ(LofarPattern::CountQueuePairs(488, 126, 24), 2562U);
}

TEST(StreamPattern, LofarGivesWholeSubbandsToItsNodes)
{
    const Transpose lofar{LofarPattern::SUBBANDS,
                          8192,
                          DataRate(LofarPattern::SENDER_BITS_PER_SECOND)};
    const auto groups = lofar.Make(MakePlaces(80, 24));
    EXPECT_EQ(groups.size(), 80U * 24);
    const auto sums = SumByReceiver(groups);
    // 488 = 8 x 21 + 16 x 20: 1680 or 1600 queue pairs, around Eq. 3.1's 1627.
    EXPECT_EQ(sums.at(80).first, 1680U);
    EXPECT_EQ(sums.at(103).first, 1600U);
    uint64_t queuePairs = 0;
    for (const auto& [receiver, sum] : sums)
    {
        queuePairs += sum.first;
    }
    EXPECT_EQ(queuePairs, 488U * 80);
}

TEST(StreamPattern, ARateIsDividedAlikeAmongAllChannelsOfASender)
{
    const Transpose lofar{488, 8192, DataRate(3'000'000'000)};
    const auto groups = lofar.Make(MakePlaces(126, 24));
    // 3 Gb/s x 21 / 488 = 129.098 Mb/s, x 20 / 488 = 122.951 Mb/s.
    EXPECT_EQ(groups[0].rate.GetBitRate(), 129'098'361U);
    EXPECT_EQ(groups[23].rate.GetBitRate(), 122'950'820U);
    uint64_t all = 0;
    for (const StreamGroup& group : groups)
    {
        all += group.rate.GetBitRate();
    }
    // 126 x 3 Gb/s, but for rounding of 24 rates per sender to whole bits per second.
    EXPECT_NEAR(static_cast<double>(all), 378e9, 126 * 12);
}

TEST(StreamPattern, SendersBeginWithDifferentReceivers)
{
    const auto groups = Transpose{6, 64, DataRate(0)}.Make(MakePlaces(4, 3));
    for (uint32_t sender = 0; sender < 4; ++sender)
    {
        EXPECT_EQ(groups[sender * 3].sender, sender);
        EXPECT_EQ(groups[sender * 3].receiver, 4 + sender % 3);
    }
}

TEST(StreamPattern, ARateOfZeroStaysZero)
{
    for (const StreamGroup& group : Transpose{4, 64, DataRate(0)}.Make(MakePlaces(2, 4)))
    {
        EXPECT_EQ(group.rate.GetBitRate(), 0U);
        EXPECT_EQ(group.queuePairs, 1U);
    }
}

TEST(StreamPattern, AnAlmaReceiverTakesFourteenLanesOf90GigabitsPerSecond)
{
    // 1.2 Tb/s / 90 Gb/s = 13.3.
    EXPECT_EQ(AlmaPattern::CountLanes(DataRate(1'200'000'000'000), DataRate(90'000'000'000)), 14U);
    EXPECT_EQ(AlmaPattern::CountLanes(DataRate(1'200'000'000'000), DataRate(100'000'000'000)), 12U);
}

TEST(StreamPattern, AnAlmaNodeReceivesFromAllAntennasWhatALaneSends)
{
    AlmaPattern alma;
    alma.antennas = 6;
    alma.lanes = 4;
    alma.messageBytes = 16384;
    alma.laneRate = DataRate(84'000'000'000);
    const auto groups = alma.Make(MakePlaces(24, 24));
    EXPECT_EQ(groups.size(), 24U * 6);
    const auto sums = SumByReceiver(groups);
    ASSERT_EQ(sums.size(), 24U);
    for (const auto& [receiver, sum] : sums)
    {
        EXPECT_EQ(sum.first, 6U);
        EXPECT_EQ(sum.second, 84'000'000'000U);
    }
    // Lane 1 of antenna 2 is sender 2 x 4 + 1 and feeds nodes 24 + 6 to 24 + 11.
    for (const StreamGroup& group : groups)
    {
        EXPECT_EQ((group.receiver - 24) / 6, group.sender % 4);
    }
}

TEST(StreamPattern, WhatDoesNotDivideGoesToTheFirst)
{
    EXPECT_EQ(GetShare(10, 4, 0), 3U);
    EXPECT_EQ(GetShare(10, 4, 1), 3U);
    EXPECT_EQ(GetShare(10, 4, 2), 2U);
    EXPECT_EQ(GetShare(10, 4, 3), 2U);
}

} // namespace
} // namespace ns3::rdma
