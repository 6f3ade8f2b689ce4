// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/packet-pipelines.h"

#include <gtest/gtest.h>
#include <numeric>
#include <stdexcept>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr Tick CYCLE{4000}; ///< 250 MHz.

Ptr<BlockPipeline>
Make(const PipelineConfig& config)
{
    auto pipeline = CreateObject<BlockPipeline>();
    pipeline->Start(config);
    return pipeline;
}

/// 512 bit at 250 MHz, as RoCE BALBOA's (section 4).
Ptr<BlockPipeline>
Make(const std::string& blocks, uint32_t packetCycles = 1)
{
    return Make(PipelineConfig{CYCLE, 64, packetCycles, ParsePipelineBlocks(blocks)});
}

Tick
Sum(const std::vector<Tick>& latencies)
{
    return std::accumulate(latencies.begin(), latencies.end(), Tick{0});
}

std::string
GetError(const std::string& text)
{
    try
    {
        ParsePipelineBlocks(text);
    }
    catch (const std::invalid_argument& error)
    {
        return error.what();
    }
    return "none";
}
} // namespace

TEST(PipelineBlocks, AreReadInOrder)
{
    const auto blocks = ParsePipelineBlocks("parser=12, arbiter = 4 +packet ,icrc=0");
    ASSERT_EQ(blocks.size(), 3);
    EXPECT_EQ(blocks[0].name, "parser");
    EXPECT_EQ(blocks[0].cycles, 12);
    EXPECT_FALSE(blocks[0].isStoreAndForward);
    EXPECT_EQ(blocks[1].name, "arbiter");
    EXPECT_EQ(blocks[1].cycles, 4);
    EXPECT_TRUE(blocks[1].isStoreAndForward);
    EXPECT_EQ(blocks[2].name, "icrc");
    EXPECT_EQ(blocks[2].cycles, 0);
    EXPECT_EQ(blocks[2].packetCycles, 1);
}

TEST(PipelineBlocks, MaySayHowOftenAPacketStarts)
{
    const auto blocks = ParsePipelineBlocks("bth=18/5, icrc=7 / 2 + packet");
    ASSERT_EQ(blocks.size(), 2);
    EXPECT_EQ(blocks[0].cycles, 18);
    EXPECT_EQ(blocks[0].packetCycles, 5);
    EXPECT_FALSE(blocks[0].isStoreAndForward);
    EXPECT_EQ(blocks[1].cycles, 7);
    EXPECT_EQ(blocks[1].packetCycles, 2);
    EXPECT_TRUE(blocks[1].isStoreAndForward);
}

TEST(PipelineBlocks, MayBeNone)
{
    EXPECT_TRUE(ParsePipelineBlocks("").empty());
    EXPECT_TRUE(ParsePipelineBlocks("  ").empty());
}

TEST(PipelineBlocks, RefuseWhatIsNotABlock)
{
    const std::string bad = "cycles must be a number from 0 to 999999";
    EXPECT_NE(GetError("parser").find("block \"parser\": no \"=\""), std::string::npos);
    EXPECT_NE(GetError("a=1,,b=2").find("no \"=\""), std::string::npos);
    EXPECT_NE(GetError("a=1,").find("no \"=\""), std::string::npos);
    EXPECT_NE(GetError("=4").find("no name"), std::string::npos);
    EXPECT_NE(GetError("a=").find(bad), std::string::npos);
    EXPECT_NE(GetError("a=-1").find(bad), std::string::npos);
    EXPECT_NE(GetError("a=1.5").find(bad), std::string::npos);
    EXPECT_NE(GetError("a=1000000").find(bad), std::string::npos);
    EXPECT_NE(GetError("a=4+beats").find("only \"packet\""), std::string::npos);
    EXPECT_NE(GetError("a=4+2*beats").find("only \"packet\""), std::string::npos);
    EXPECT_NE(GetError("a=4+0*packet").find("only \"packet\""), std::string::npos);
    EXPECT_NE(GetError("a=4+x*packet").find(bad), std::string::npos);
    EXPECT_NE(GetError("a=+packet").find(bad), std::string::npos);
    EXPECT_NE(GetError("a=4/").find(bad), std::string::npos);
    EXPECT_NE(GetError("a=4/0").find("in the same cycle"), std::string::npos);
    EXPECT_NE(GetError("a=1, b=2, a=3").find("block \"a\": named twice"), std::string::npos);
}

TEST(BlockPipeline, WithoutAClockTakesNoTime)
{
    const auto pipeline = CreateObject<BlockPipeline>();
    EXPECT_EQ(pipeline->Enter(100, 100, 1500), 100);
    EXPECT_EQ(pipeline->Enter(100, 250, 64), 250);
    EXPECT_EQ(pipeline->Enter(260, 260, 64), 260);
}

TEST(BlockPipeline, TakesTheSumOfItsBlocks)
{
    const auto pipeline = Make("parser=12, icrc=7");
    // 19 cycles of 4 ns, whatever the length: the first byte does not wait for the last.
    EXPECT_EQ(pipeline->Enter(1000, 1000, 64), 1000 + 76'000);
    EXPECT_EQ(pipeline->Enter(1'000'000, 1'000'000, 4096), 1'000'000 + 76'000);
}

TEST(BlockPipeline, DoesNotStartBeforeThePacketIsThere)
{
    const auto pipeline = Make("parser=12");
    EXPECT_EQ(pipeline->Enter(1000, 9000, 64), 9000 + 48'000);
}

TEST(BlockPipeline, WaitsForTheWholePacketWhereABlockDoes)
{
    const auto pipeline = Make("parser=12, fifo=8+packet, mac=10");
    // 30 cycles; a frame of 4174 bytes has ceil(4174 / 64) = 66 beats: 65 cycles more.
    EXPECT_EQ(pipeline->Enter(0, 0, 64), 30 * CYCLE);
    EXPECT_EQ(pipeline->Enter(1'000'000, 1'000'000, 4174), 1'000'000 + (30 + 65) * CYCLE);
    // Two cycles per beat: the last of ten beats is done after 20 cycles, 19 more than one cycle.
    const auto slow = Make("icrc=3 + 2 * packet");
    EXPECT_EQ(slow->Enter(0, 0, 640), (3 + 2 * 10 - 1) * CYCLE);
    EXPECT_EQ(slow->GetBreakdown(640), std::vector<Tick>{(3 + 2 * 10 - 1) * CYCLE});
    // Two such blocks wait twice.
    const auto twice = Make("in=1+packet, out=1+packet");
    EXPECT_EQ(twice->Enter(0, 0, 640), (2 + 2 * 9) * CYCLE);
}

TEST(BlockPipeline, CarriesAFullBusAt128GbpsIfItIsBalboas)
{
    const auto pipeline = Make("parser=12");
    Tick exit = 0;
    for (int packet = 0; packet < 1000; ++packet)
    {
        exit = pipeline->Enter(0, 0, 4096);
    }
    // 250 MHz x 512 bit = 128 Gb/s (BALBOA section 4): 64 cycles per packet of 4096 bytes.
    const Tick carried = exit - 12 * CYCLE;
    EXPECT_EQ(carried, 999 * 64 * CYCLE);
    EXPECT_DOUBLE_EQ(999 * 4096 * 8 * 1000.0 / static_cast<double>(carried), 128.0);
}

TEST(BlockPipeline, CarriesLessIfTheLastBeatIsNotFull)
{
    const auto pipeline = Make("");
    EXPECT_EQ(pipeline->Enter(0, 0, 65), 0);
    EXPECT_EQ(pipeline->Enter(0, 0, 64), 2 * CYCLE); // 65 bytes took two beats.
    EXPECT_EQ(pipeline->Enter(0, 0, 1), 3 * CYCLE);
    EXPECT_EQ(pipeline->Enter(0, 0, 1), 4 * CYCLE);
}

TEST(BlockPipeline, BoundsThePacketRateOfSmallPackets)
{
    const auto pipeline = Make("parser=12", 9);
    // 9 cycles between two packets: 27.8 M packets/s, though a packet is on the bus for one.
    EXPECT_EQ(pipeline->Enter(0, 0, 64), 12 * CYCLE);
    EXPECT_EQ(pipeline->Enter(0, 0, 64), 21 * CYCLE);
    EXPECT_EQ(pipeline->Enter(0, 0, 640), 30 * CYCLE);
    // That one was on the bus for 10 cycles.
    EXPECT_EQ(pipeline->Enter(0, 0, 64), 40 * CYCLE);
    // An idle pipeline owes nothing.
    EXPECT_EQ(pipeline->Enter(1'000'000, 1'000'000, 64), 1'000'000 + 12 * CYCLE);
}

TEST(BlockPipeline, BoundsThePacketRateByItsSlowestBlock)
{
    const auto pipeline = Make("parser=2, bth=10/5", 3);
    EXPECT_EQ(pipeline->Enter(0, 0, 64), 12 * CYCLE);
    EXPECT_EQ(pipeline->Enter(0, 0, 64), 17 * CYCLE);
}

TEST(BlockPipeline, LetsNoPacketOvertake)
{
    const auto pipeline = Make("fifo=2+packet");
    // 10 beats: out after 2 + 9 cycles, for 10 cycles.  The next enters after 10 cycles and could
    // be out after 12, when the first is still leaving.
    EXPECT_EQ(pipeline->Enter(0, 0, 640), 11 * CYCLE);
    EXPECT_EQ(pipeline->Enter(0, 0, 64), 21 * CYCLE);
    EXPECT_EQ(pipeline->Enter(0, 0, 64), 22 * CYCLE);
}

TEST(BlockPipeline, RunsAtTheClockOfSrnic)
{
    // 300 MHz (SRNIC section 5): 3333 ps, 512 bit: 153.6 Gb/s.
    const auto pipeline = Make({3333, 64, 1, ParsePipelineBlocks("transmit=30")});
    EXPECT_EQ(pipeline->Enter(0, 0, 1094), 99'990);
    EXPECT_EQ(pipeline->Enter(0, 0, 1094), 99'990 + 18 * 3333); // ceil(1094 / 64) = 18.
}

TEST(BlockPipeline, RunsAtTheClocksOfStrom)
{
    // 64 bit at 156.25 MHz = 10 Gb/s; 512 bit at 322 MHz = 164.9 Gb/s (StRoM sections 4 and 7).
    const auto slow = Make({6400, 8, 1, ParsePipelineBlocks("stack=10")});
    EXPECT_EQ(slow->Enter(0, 0, 1000), 64'000);
    EXPECT_EQ(slow->Enter(0, 0, 1000), 64'000 + 125 * 6400); // 800 ns for 8000 bits: 10 Gb/s.
    const auto fast = Make({3106, 64, 1, ParsePipelineBlocks("stack=10")});
    EXPECT_EQ(fast->Enter(0, 0, 1024), 31'060);
    EXPECT_EQ(fast->Enter(0, 0, 1024), 31'060 + 16 * 3106);
}

TEST(BlockPipeline, ReturnsTheTimeOfAPacketInEachBlock)
{
    const auto pipeline = Make("parser=12, fifo=8+packet, mac=10");
    EXPECT_EQ(pipeline->GetBreakdown(142), (std::vector<Tick>{48'000, 40'000, 40'000})); // 3 beats.
    EXPECT_EQ(pipeline->GetBreakdown(4174), (std::vector<Tick>{48'000, 292'000, 40'000}));
    for (const uint32_t bytes : {1, 64, 65, 1094, 4174})
    {
        const auto idle = Make("parser=12, fifo=8+packet, mac=10");
        EXPECT_EQ(Sum(pipeline->GetBreakdown(bytes)), idle->Enter(0, 0, bytes)) << bytes;
    }
    EXPECT_EQ(pipeline->GetConfig().blocks[1].name, "fifo");
}

TEST(BlockPipeline, TakesAnEmptyPacketForOneBeat)
{
    const auto pipeline = Make("fifo=2+packet");
    EXPECT_EQ(pipeline->Enter(0, 0, 0), 2 * CYCLE);
    EXPECT_EQ(pipeline->Enter(0, 0, 64), 3 * CYCLE);
}

TEST(BlockPipeline, RefusesABusWithoutBytes)
{
    EXPECT_DEATH(Make(PipelineConfig{CYCLE, 0, 1, {}}), "carries no bytes");
    EXPECT_DEATH(Make(PipelineConfig{-1, 64, 1, {}}), "is negative");
}

TEST(BlockPipeline, AHeaderIsAheadByTheBlocksBehindItAndTheBytesThatStillArrive)
{
    const auto pipeline = Make("mac=18, bth=18, reth=20, arbiter=12");
    const HeaderLead lead = pipeline->GetHeaderLead(pipeline->FindBlock("reth"));
    // 70 B of headers are in two beats. Behind it: 12 cycles of 4 ns, and the wire's time.
    EXPECT_EQ(lead.headBytes, 128);
    EXPECT_EQ(lead.Get(4174, 320'000), 12 * CYCLE + 320'000);
    EXPECT_EQ(lead.Get(74, 0), 12 * CYCLE);
    EXPECT_EQ(pipeline->FindBlock("none"), 4);
}

TEST(BlockPipeline, AHeaderBehindAStoreOfThePacketIsAheadByTheLaterBlocksOnly)
{
    const auto pipeline = Make("mac=18, icrc=7+packet, reth=20, arbiter=12, fifo=8+packet");
    const HeaderLead lead = pipeline->GetHeaderLead(pipeline->FindBlock("reth"));
    // The last block waits for the 64 beats behind the first two of 66.
    EXPECT_EQ(lead.Get(66 * 64, 320'000), (12 + 8 + 64) * CYCLE);
}
