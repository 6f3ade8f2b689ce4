// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/stream-packet-pipeline.h"

#include "ns3/nic-hardware.h"

#include <functional>
#include <gtest/gtest.h>
#include <numeric>
#include <utility>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr Tick CYCLE{6400}; ///< 156.25 MHz.

/// 64 bit at 156.25 MHz (StRoM section 3.5).
Ptr<StreamPacketPipeline>
Make(PipelineDirection direction, const std::string& blocks)
{
    auto pipeline = CreateObject<StreamPacketPipeline>();
    pipeline->Start({CYCLE, 8, 1, ParsePipelineBlocks(blocks), direction});
    return pipeline;
}

Tick
GetLatency(const PacketPipeline& pipeline, uint32_t bytes)
{
    const std::vector<Tick> blocks = pipeline.GetBreakdown(bytes);
    return std::accumulate(blocks.begin(), blocks.end(), Tick{0});
}

Ptr<NicHardware>
MakeHardware(const std::string& preset)
{
    auto hardware = NicHardware::Make(NicDesign::FromPreset(preset, NicDesign::Timing::HARDWARE));
    hardware->Start(1, 0);
    return hardware;
}
} // namespace

TEST(StreamPacketPipeline, GivesThePortTheFirstWord)
{
    const auto pipeline = Make(PipelineDirection::TRANSMIT, "bth=4, ip=7");
    EXPECT_EQ(pipeline->Enter(0, 0, 80), 11 * CYCLE);
    // The next ten words follow on the bus: 8 B x 156.25 MHz are 10 Gb/s.
    EXPECT_EQ(pipeline->Enter(0, 0, 80), 21 * CYCLE);
}

TEST(StreamPacketPipeline, HandlesAnArrivedPacketWithItsLastWord)
{
    const auto pipeline = Make(PipelineDirection::RECEIVE, "bth=4, ip=7");
    // Its ten words have come until now.
    EXPECT_EQ(pipeline->Enter(100 * CYCLE, 100 * CYCLE, 80), 111 * CYCLE);
}

TEST(StreamPacketPipeline, WaitsForThePacketWhereTheIcrcIsChecked)
{
    // 1082 bytes have 136 words: 135 cycles more, towards the port before the first word, from the
    // port between the first word and the last.
    const auto transmit = Make(PipelineDirection::TRANSMIT, "bth=4, icrc=7+packet");
    EXPECT_EQ(transmit->Enter(0, 0, 1082), (11 + 135) * CYCLE);
    const auto receive = Make(PipelineDirection::RECEIVE, "icrc=7+packet, bth=4");
    EXPECT_EQ(receive->Enter(1000 * CYCLE, 0, 1082), (1000 + 11 + 135) * CYCLE);
}

TEST(StreamPacketPipeline, TakesTwoCyclesPerWordWhereABlockDoes)
{
    // Ten words: the first leaves 2 * 10 - 1 cycles after that of a packet of no length.
    const auto transmit = Make(PipelineDirection::TRANSMIT, "bth=4, icrc=7+2*packet");
    EXPECT_EQ(transmit->Enter(0, 0, 80), (11 + 19) * CYCLE);
    EXPECT_EQ(GetLatency(*transmit, 80), (11 + 19) * CYCLE);
    // The next packet follows at the rate of the bus.
    EXPECT_EQ(transmit->Enter(0, 0, 80), (11 + 19 + 10) * CYCLE);
}

TEST(StreamPacketPipeline, StartsAtAnEdgeOfTheClock)
{
    const auto pipeline = Make(PipelineDirection::TRANSMIT, "bth=4");
    EXPECT_EQ(pipeline->Enter(1, 1, 8), 5 * CYCLE);
    EXPECT_EQ(pipeline->Enter(1, 20 * CYCLE, 8), 24 * CYCLE);
    EXPECT_EQ(pipeline->Enter(1, 30 * CYCLE + 1, 8), 35 * CYCLE);
}

TEST(StreamPacketPipeline, ChecksAPsnEveryFiveCycles)
{
    // A 64 B frame has 8 words of 8 B: the state table keeps up (StRoM section 4.1).  At 64 B wide
    // it has one, and the state table needs five cycles.
    const auto narrow = Make(PipelineDirection::RECEIVE, "bth=18/5");
    const Tick first = narrow->Enter(100 * CYCLE, 0, 64);
    EXPECT_EQ(narrow->Enter(108 * CYCLE, 0, 64) - first, 8 * CYCLE);
    auto wide = CreateObject<StreamPacketPipeline>();
    wide->Start({3106, 64, 1, ParsePipelineBlocks("bth=18/5"), PipelineDirection::RECEIVE});
    const Tick before = wide->Enter(0, 0, 64);
    EXPECT_EQ(wide->Enter(0, 0, 64) - before, 5 * 3106);
    EXPECT_EQ(wide->Enter(0, 0, 64) - before, 10 * 3106);
}

TEST(StreamPacketPipeline, TracesTheLatencyOfEachBlock)
{
    const auto pipeline = Make(PipelineDirection::TRANSMIT, "bth=4, icrc=7+packet, mac=3/20");
    std::vector<std::pair<uint32_t, int64_t>> seen; // Block, cycles.
    const std::function<void(uint32_t, Time)> note = [&seen](uint32_t block, Time latency) {
        seen.emplace_back(block, latency.GetPicoSeconds() / CYCLE);
    };
    EXPECT_TRUE(
        pipeline->TraceConnectWithoutContext("StageLatency", Callback<void, uint32_t, Time>(note)));
    const Tick idle = pipeline->Enter(0, 0, 80);
    // Ten words: the check of the ICRC has the last one nine cycles after the first.
    const std::vector<std::pair<uint32_t, int64_t>> alone{{0, 4}, {1, 16}, {2, 3}};
    EXPECT_EQ(seen, alone);
    EXPECT_EQ(idle, (4 + 16 + 3) * CYCLE);
    seen.clear();
    // Ten cycles behind; the last block begins a packet every 20, so it waits 10 more there.
    EXPECT_EQ(pipeline->Enter(10 * CYCLE, 0, 80), idle + 20 * CYCLE);
    const std::vector<std::pair<uint32_t, int64_t>> behind{{0, 4}, {1, 16}, {2, 13}};
    EXPECT_EQ(seen, behind);
}

TEST(StreamPacketPipeline, SaysWhichBlocksItCannotBuild)
{
    const auto pipeline = CreateObject<StreamPacketPipeline>();
    PipelineConfig config{CYCLE, 8, 1, {}, PipelineDirection::TRANSMIT};
    EXPECT_EQ(pipeline->FindFault(config), "a stream pipeline has at least one block");
    config.blocks = ParsePipelineBlocks("bth=4, mac=1");
    EXPECT_EQ(
        pipeline->FindFault(config),
        "pipeline block \"mac\": expected at least 2 cycles, a FIFO's and a register's, got 1");
    config.blocks = ParsePipelineBlocks("bth=4, mac=2");
    EXPECT_EQ(pipeline->FindFault(config), "");
}

TEST(StromHardware, TakesItsBlocksCyclesWhenIdle)
{
    for (const std::string preset : {"strom10g", "strom100g"})
    {
        const auto hardware = MakeHardware(preset);
        const PipelineConfig& config = hardware->GetTransmitPipeline().GetConfig();
        for (const uint32_t bytes : {62, 74, 122, 1082})
        {
            const Tick now = Tick{bytes} * 1000 * config.cycle;
            EXPECT_EQ(hardware->GetTransmitPipeline().Enter(now, now, bytes) - now,
                      GetLatency(hardware->GetTransmitPipeline(), bytes))
                << preset << ", " << bytes << " bytes";
            EXPECT_EQ(hardware->GetReceivePipeline().Enter(now, now, bytes) - now,
                      GetLatency(hardware->GetReceivePipeline(), bytes))
                << preset << ", " << bytes << " bytes";
        }
        hardware->Dispose();
    }
}

TEST(StromHardware, WaitsMuchLessForAPacketWithTheWiderBus)
{
    // StRoM section 7.1: a full MTU is 176 words at 10G, 22 at 100G. The ICRC takes two cycles per
    // word, and the FIFO before the MAC one.
    const auto slow = MakeHardware("strom10g");
    const auto fast = MakeHardware("strom100g");
    const auto getGrowth = [](const NicHardware& hardware) {
        return GetLatency(hardware.GetTransmitPipeline(), 1408) -
               GetLatency(hardware.GetTransmitPipeline(), 64);
    };
    EXPECT_EQ(getGrowth(*slow), 3 * (176 - 8) * 6400);
    EXPECT_EQ(getGrowth(*fast), 3 * (22 - 1) * 3106);
    slow->Dispose();
    fast->Dispose();
}
