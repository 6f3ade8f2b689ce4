// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/nccl-tuning.h"

#include <gtest/gtest.h>

using namespace ns3::rdma;

namespace
{

const NcclProtocol PROTOCOLS[] = {NcclProtocol::SIMPLE, NcclProtocol::LL, NcclProtocol::LL128};

/// All ways of an all-reduce.
std::vector<NcclWay>
ListWays()
{
    std::vector<NcclWay> ways;
    for (const NcclProtocol protocol : PROTOCOLS)
    {
        ways.push_back({"ring", protocol});
        ways.push_back({"double-tree", protocol});
    }
    return ways;
}

std::string
Describe(const NcclWay& way)
{
    return way.algorithm + " " + GetNcclProtocolNames()[static_cast<std::size_t>(way.protocol)];
}

} // namespace

TEST(NcclTuning, TimesOf64KibAmong16RanksAt100GbpsFollowFromTheTables)
{
    // 100 Gb/s are 12.5 GB/s. Rings: 30 steps, bandwidth times 16/30. Trees: 8 steps (log2 of 16,
    // up and down), bandwidth 12.5 * 0.92 * 0.85 / 2 = 4.8875 GB/s times the correction of 2^10
    // units of 64 B. 65,536 B take 65.536 us at 1 GB/s.
    const NcclTuning tuning("all-reduce", 16, 1, 12.5);

    const struct
    {
        NcclWay way;
        double time;
    } cases[] = {
        // 4,096 B per rank are above 64: the latency counts 1.4 times.
        {{"ring", NcclProtocol::SIMPLE}, 1.4 * (8.4 + 30 * 14.0) + 65.536 / (12.5 * 16 / 30)},
        {{"ring", NcclProtocol::LL}, 6.6 + 30 * 5.0 + 65.536 / (6.25 * 16 / 30)},
        {{"ring", NcclProtocol::LL128}, 14.0 + 30 * 8.5 + 65.536 / (11.5 * 16 / 30)},
        {{"double-tree", NcclProtocol::SIMPLE}, 8.4 + 8 * 14.0 + 65.536 / (4.8875 * 0.6)},
        {{"double-tree", NcclProtocol::LL}, 6.8 + 8 * 5.0 + 65.536 / (4.8875 / 3.8 * 0.6)},
        {{"double-tree", NcclProtocol::LL128}, 14.0 + 8 * 8.5 + 65.536 / (4.8875 * 15 / 16 * 0.6)},
    };

    for (const auto& one : cases)
    {
        EXPECT_NEAR(*tuning.GetTime(one.way, 65536), one.time, 1e-9) << Describe(one.way);
    }
}

TEST(NcclTuning, LargerBuffersGoFromTreesToRingsAndFromFlagsToSimple)
{
    // The times of the test above, for other sizes (us); the fastest ones:
    //  1 KiB   tree LL     46.8 + 1.024 / (1.2862 * 0.9)  =    47.7
    // 64 KiB   tree LL128  82.0 + 65.54 / (4.5820 * 0.6)  =   105.8; tree LL 131.7
    // 16 MiB   ring LL128  269 + 16777 / 6.1333           =  3004.4; ring Simple 3116.3
    // 64 MiB   ring Simple 599.8 + 67109 / 6.6667         = 10666.1; ring LL128 11210.7
    const struct
    {
        uint64_t bytes;
        const char* best;
    } cases[] = {
        {1 << 10, "double-tree ll"},
        {64 << 10, "double-tree ll128"},
        {16 << 20, "ring ll128"},
        {64 << 20, "ring simple"},
    };

    const NcclTuning tuning("all-reduce", 16, 1, 12.5);
    for (const auto& one : cases)
    {
        EXPECT_EQ(Describe(tuning.Choose(ListWays(), one.bytes)), one.best) << one.bytes;
    }
}

TEST(NcclTuning, AWayThatIsForcedIsTheOnlyOne)
{
    const NcclTuning tuning("all-reduce", 16, 1, 12.5);
    EXPECT_EQ(Describe(tuning.Choose({{"ring", NcclProtocol::SIMPLE}}, 1 << 10)), "ring simple");
}

TEST(NcclTuning, LimitsOfProtocolsHoldOnFastLinks)
{
    // 800 Gb/s, two servers and one channel: a ring of 2 steps, bandwidth times 2/2.
    const NcclTuning two("all-reduce", 2, 1, 100);
    EXPECT_NEAR(*two.GetTime({"ring", NcclProtocol::LL}, 1'000'000),
                6.6 + 2 * 5 + 1000 / 39.0,
                1e-9);
    EXPECT_NEAR(*two.GetTime({"ring", NcclProtocol::LL128}, 1'000'000),
                14 + 2 * 8.5 + 1000 / 36.7,
                1e-9);
    // Four servers: LL 20.4 GB/s, times 4/6.
    const NcclTuning four("all-reduce", 4, 1, 100);
    EXPECT_NEAR(*four.GetTime({"ring", NcclProtocol::LL}, 1'000'000),
                6.6 + 6 * 5 + 1000 / (20.4 * 4 / 6),
                1e-9);
    // Two channels of LL128: 73.4 GB/s, still below 92.
    const NcclTuning channels("all-reduce", 4, 2, 100);
    EXPECT_NEAR(*channels.GetTime({"ring", NcclProtocol::LL128}, 1'000'000),
                14 + 6 * 8.5 + 1000 / (73.4 * 4 / 6),
                1e-9);
    // Trees: 36 GB/s, by LL128 29 after 36 * 15/16; a million bytes have the correction of 2^13.
    EXPECT_NEAR(*four.GetTime({"double-tree", NcclProtocol::LL128}, 1'000'000),
                14 + 4 * 8.5 + 1000 / (29 * 0.85 * 0.5 * 0.6),
                1e-9);
}

TEST(NcclTuning, HalfRingsAndChainsHaveTheirOwnSteps)
{
    const NcclTuning gather("all-gather", 16, 1, 12.5);
    EXPECT_NEAR(*gather.GetTime({"ring", NcclProtocol::SIMPLE}, 1'000'000),
                8.4 + 15 * 14 + 1000 / (12.5 * 16 / 15),
                1e-9);
    // A broadcast's latency is one step, its bandwidth the link's.
    const NcclTuning broadcast("broadcast", 16, 1, 12.5);
    EXPECT_NEAR(*broadcast.GetTime({"chain", NcclProtocol::SIMPLE}, 1'000'000),
                8.4 + 14 + 1000 / 12.5,
                1e-9);
    EXPECT_FALSE(broadcast.GetTime({"binomial", NcclProtocol::SIMPLE}, 1'000'000));
    EXPECT_FALSE(gather.GetTime({"double-tree", NcclProtocol::SIMPLE}, 1'000'000));
}

TEST(NcclProtocol, FlagsTakeHalfOfALineOfLlAnd8BytesOfOneOfLl128)
{
    const struct
    {
        NcclProtocol protocol;
        uint64_t bytes;
        uint64_t wire;
    } cases[] = {
        {NcclProtocol::SIMPLE, 121, 121},
        {NcclProtocol::LL, 0, 0},
        {NcclProtocol::LL, 8, 16},
        {NcclProtocol::LL, 9, 32},
        {NcclProtocol::LL, 32 << 10, 64 << 10},
        {NcclProtocol::LL128, 120, 128},
        {NcclProtocol::LL128, 121, 256},
        {NcclProtocol::LL128, 576'000, 600 << 10},
    };

    for (const auto& one : cases)
    {
        EXPECT_EQ(GetNcclWireBytes(one.protocol, one.bytes), one.wire) << one.bytes;
    }
}
