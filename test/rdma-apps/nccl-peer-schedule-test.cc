// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/nccl-peer-schedule.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <utility>

using namespace ns3::rdma;

TEST(NcclPeerSchedule, ASendHasABlockForItself)
{
    // Round 1 of 4 channels: bits 01 reversed are 10, channels 2 and 3. 20 warps: (20 - 1) / 2 = 9
    // receive and 10 send, one of which does not copy. All 8 buffers.
    const NcclPeerSchedule schedule(4, 2, 1, false);
    ASSERT_EQ(schedule.GetLanes().size(), 2U);
    for (uint32_t part = 0; part < 2; ++part)
    {
        const NcclLane& lane = schedule.GetLanes()[part];
        EXPECT_EQ(lane.round, 1U);
        EXPECT_EQ(lane.part, part);
        EXPECT_EQ(lane.channel, 2 + part);
        EXPECT_EQ(lane.batch, 0U);
        EXPECT_EQ(lane.slots, 8U);
        EXPECT_EQ(lane.sendWarps, NcclPeerSchedule::ALL_WARPS);
        EXPECT_EQ(lane.receiveWarps, NcclPeerSchedule::ALL_WARPS);
        EXPECT_TRUE(lane.before.empty());
        EXPECT_TRUE(lane.after.empty());
    }
}

TEST(NcclPeerSchedule, AnAllToAllOfTenRanksHasTwoBatchesOnEachChannel)
{
    // Two parts on 4 channels from the reversed round on: rounds 0, 4, 8 on 0 and 1; 1, 5, 9 on 2
    // and 3; 2, 6 on 1 and 2; 3, 7 on 3 and 0. Rounds 0 to 7 are a group: four rounds on each
    // channel, of which round 0 has no messages on channels 0 and 1.
    const NcclPeerSchedule schedule(4, 2, 9, true);
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> counts; ///< By channel and batch.
    for (const NcclLane& lane : schedule.GetLanes())
    {
        ++counts[{lane.channel, lane.batch}];
        EXPECT_EQ(lane.batch, lane.round / 8);
    }
    const std::map<std::pair<uint32_t, uint32_t>, uint32_t> expected{{{0, 0}, 3},
                                                                     {{1, 0}, 3},
                                                                     {{2, 0}, 4},
                                                                     {{3, 0}, 4},
                                                                     {{0, 1}, 1},
                                                                     {{1, 1}, 1},
                                                                     {{2, 1}, 1},
                                                                     {{3, 1}, 1}};
    EXPECT_EQ(counts, expected);
    // Four rounds: 5 warps each, of which (5 - 1) / 2 = 2 receive and 3 send, one without copying.
    // 16 buffers for the rounds with messages: 5 each of 3, 4 each of 4.
    for (const NcclLane& lane : schedule.GetLanes())
    {
        const bool isAlone = lane.batch == 1;
        EXPECT_EQ(lane.sendWarps, isAlone ? 9U : 2U);
        EXPECT_EQ(lane.receiveWarps, isAlone ? 9U : 2U);
        EXPECT_EQ(lane.slots, isAlone ? 8U : lane.channel < 2 ? 5U : 4U);
        EXPECT_EQ(lane.before.size(), !isAlone ? 0U : lane.channel < 2 ? 3U : 4U);
        EXPECT_EQ(lane.after.size(), isAlone ? 0U : 1U);
    }
}

TEST(NcclPeerSchedule, RoundsOfABatchShareTheWarps)
{
    // One channel, rounds 0 to n - 1 in one batch: warps 20 / n, of which half receive.
    const struct
    {
        uint32_t rounds;
        uint32_t send;
        uint32_t receive;
        uint32_t slots;
    } cases[] = {
        {2, 4, 4, 8}, // 10: 4 receive, 5 send less 1.
        {3, 2, 2, 8}, // 6: 2 receive, 3 send less 1.
        {4, 2, 2, 5},
        {5, 2, 2, 4}, // 4: 2 and 2; two sending warps all copy.
        {6, 1, 1, 3}, // 3: 1 and 1.
        {8, 1, 1, 2},
    };

    for (const auto& one : cases)
    {
        const NcclPeerSchedule schedule(1, 1, one.rounds - 1, true);
        ASSERT_EQ(schedule.GetLanes().size(), one.rounds - 1);
        for (const NcclLane& lane : schedule.GetLanes())
        {
            EXPECT_EQ(lane.sendWarps, one.send) << one.rounds;
            EXPECT_EQ(lane.receiveWarps, one.receive) << one.rounds;
            EXPECT_EQ(lane.slots, one.slots) << one.rounds;
        }
    }
}

TEST(NcclPeerSchedule, BatchesOfAChannelFollowEachOther)
{
    const NcclPeerSchedule schedule(2, 1, 63, true);
    for (uint32_t number = 0; number < schedule.GetLanes().size(); ++number)
    {
        const NcclLane& lane = schedule.GetLanes()[number];
        EXPECT_EQ(lane.batch, lane.round / 8); // Four rounds of each group of 8 on each channel.
        for (const uint32_t before : lane.before)
        {
            const NcclLane& other = schedule.GetLanes()[before];
            EXPECT_EQ(other.channel, lane.channel);
            EXPECT_EQ(other.batch + 1, lane.batch);
            EXPECT_EQ(std::count(other.after.begin(), other.after.end(), number), 1);
        }
    }
}
