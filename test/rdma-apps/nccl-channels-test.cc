// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/nccl-channels.h"

#include <gtest/gtest.h>

using namespace ns3::rdma;

TEST(NcclChannels, TheSearchTakesTheFastestClassOfSpeedsAndDoublesFastRings)
{
    const struct
    {
        double linkGBps;
        uint32_t nics;
        uint32_t rings;
        double speed;
        uint32_t channels;
    } cases[] = {
        // 400 Gb/s: a ring of 48 GB/s; no class has a larger sum (24: twice, equal). It is doubled
        // as it has 25 GB/s or more. Two channels for each ring.
        {50, 1, 2, 24, 4},
        // 200 Gb/s: 24 GB/s are not doubled.
        {25, 1, 1, 24, 2},
        {12.5, 1, 1, 12, 2},
        // 800 Gb/s: two rings of 48, doubled.
        {100, 1, 4, 24, 8},
        // 40 Gb/s: 3 GB/s once, or 2.4 twice.
        {5, 1, 2, 2.4, 4},
        // Two NICs of 400 Gb/s.
        {50, 2, 4, 24, 8},
        // 480 Gb/s: 30 GB/s twice are more than 48; they are doubled.
        {60, 1, 4, 15, 8},
    };

    for (const auto& one : cases)
    {
        const NcclRings rings = FindNcclRings(one.linkGBps, one.nics);
        EXPECT_EQ(rings.channels, one.rings) << one.linkGBps;
        EXPECT_EQ(rings.speedGBps, one.speed) << one.linkGBps;
        EXPECT_EQ(CountNcclChannels(rings), one.channels) << one.linkGBps;
    }
    EXPECT_EQ(CountNcclChannels({3, 48}), 12U); // Above 45 GB/s: four channels for each ring.
}

TEST(NcclChannels, APeerHasFewerChannelsAmongMorePeers)
{
    const struct
    {
        double linkGBps;
        uint32_t nics;
        uint32_t ranks;
        NcclPeerSettings settings;
        uint32_t all;
        uint32_t perPeer;
    } cases[] = {
        // 50 / 14 = 3.6: four channels, of four.
        {50, 1, 8, {}, 4, 4},
        // 9 to 16 ranks are two batches: 4 x 2 > 4, 2 x 2 = 4.
        {50, 1, 9, {}, 4, 2},
        {50, 1, 10, {}, 4, 2},
        {50, 1, 16, {}, 4, 2},
        {50, 1, 17, {}, 4, 1},
        {50, 1, 1000, {}, 4, 1},
        // Two peers are one batch, however many ranks there are.
        {50, 1, 10, {std::nullopt, 2}, 4, 4},
        {50, 1, 10, {std::nullopt, 20}, 4, 2},
        // A number that is set is rounded up to a power of two and not halved.
        {50, 1, 1000, {3, std::nullopt}, 4, 4},
        {50, 1, 1000, {8, std::nullopt}, 4, 4},
        {25, 1, 8, {}, 2, 2},
        {25, 1, 9, {}, 2, 1},
        {12.5, 1, 2, {}, 2, 1},
        // Eight NICs of 50 Gb/s: at least a channel for each. 8 rings of 6 GB/s, 16 channels.
        {6.25, 8, 8, {}, 16, 8},
    };

    for (const auto& one : cases)
    {
        const NcclPeerChannels channels =
            FindNcclPeerChannels(one.linkGBps, one.nics, one.ranks, one.settings);
        EXPECT_EQ(channels.all, one.all) << one.linkGBps << ' ' << one.ranks;
        EXPECT_EQ(channels.perPeer, one.perPeer) << one.linkGBps << ' ' << one.ranks;
    }
}

TEST(NcclChannels, SmallMessagesHaveFewerPartsAndSmallerPieces)
{
    constexpr uint64_t CHUNK{128 << 10};

    const struct
    {
        uint64_t bytes;
        uint32_t parts; ///< Of four channels.
        uint64_t piece;
    } cases[] = {{0, 1, CHUNK / 4},
                 {1, 1, CHUNK / 4},
                 {CHUNK / 2, 1, CHUNK / 4},
                 {CHUNK / 2 + 1, 2, CHUNK / 4},
                 {CHUNK - 1, 2, CHUNK / 4},
                 {CHUNK, 2, CHUNK / 2},
                 {3 * CHUNK / 2 + 1, 4, CHUNK / 2},
                 {8 * CHUNK - 1, 4, CHUNK / 2},
                 {8 * CHUNK, 4, CHUNK},
                 {uint64_t{1} << 31, 4, CHUNK}};

    for (const auto& one : cases)
    {
        EXPECT_EQ(CountNcclParts(one.bytes, 4, CHUNK), one.parts) << one.bytes;
        EXPECT_EQ(GetNcclPieceBytes(one.bytes, CHUNK), one.piece) << one.bytes;
    }
}
