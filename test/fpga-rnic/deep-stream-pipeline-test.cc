// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/deep-stream-pipeline.h"

#include <gtest/gtest.h>
#include <random>

using namespace ns3::rdma;

namespace
{
constexpr uint32_t WIDTH{8};
constexpr uint32_t NEVER_FULL{4096}; ///< Words: all packets of a chain at once.

StreamStage
MakeStage(uint32_t latency, uint32_t packetInterval = 1, bool isStoreAndForward = false)
{
    return {"stage", latency, 1, packetInterval, WIDTH, WIDTH, NEVER_FULL, isStoreAndForward};
}

uint32_t
Draw(std::mt19937& random, uint32_t least, uint32_t most)
{
    return std::uniform_int_distribution<uint32_t>(least, most)(random);
}

void
CompareChain(uint32_t seed)
{
    std::mt19937 random(seed);
    std::vector<StreamStage> stages;
    for (uint32_t left = Draw(random, 1, 12); left > 0; --left)
    {
        stages.push_back(MakeStage(Draw(random, 1, 20),
                                   Draw(random, 0, 2) == 0 ? Draw(random, 2, 20) : 1,
                                   Draw(random, 0, 3) == 0));
    }
    DeepStreamPipeline deep(stages);
    StreamPipeline exact(stages);
    Cycle now = Draw(random, 0, 5);
    for (uint32_t packet = 0; packet < 12; ++packet)
    {
        StreamArrival arrival;
        arrival.bytes = Draw(random, 1, Draw(random, 0, 1) == 0 ? 40 : 1500);
        const Cycle words = (arrival.bytes + WIDTH - 1) / WIDTH;
        arrival.first = now;
        // Closer than the bus carries them, one per cycle, or with gaps.
        const Cycle span[] = {0, words - 1, words - 1 + Draw(random, 0, 200)};
        arrival.last = now + span[Draw(random, 0, 2)];
        now += Draw(random, 0, 2) * Draw(random, 0, 150);
        const StreamDeparture expected = exact.Enter(arrival);
        const StreamDeparture got = deep.Enter(arrival);
        ASSERT_EQ(got.entered, expected.entered) << "packet " << packet;
        ASSERT_EQ(got.first, expected.first) << "packet " << packet;
        ASSERT_EQ(got.last, expected.last) << "packet " << packet;
    }
    for (std::size_t i = 0; i < stages.size(); ++i)
    {
        ASSERT_EQ(deep.GetStats(i).packets, exact.GetStats(i).packets);
        ASSERT_EQ(deep.GetStats(i).words, exact.GetStats(i).words);
        ASSERT_EQ(deep.GetStats(i).latencyCycles, exact.GetStats(i).latencyCycles);
        ASSERT_EQ(deep.GetStats(i).maxLatency, exact.GetStats(i).maxLatency);
        ASSERT_LT(exact.GetStats(i).maxOccupancy, NEVER_FULL);
    }
}
} // namespace

TEST(DeepStreamPipeline, EqualsTheRecurrenceOverWordsWhereNoFifoIsFull)
{
    for (uint32_t seed = 0; seed < 3000; ++seed)
    {
        CompareChain(seed);
        ASSERT_FALSE(testing::Test::HasFatalFailure()) << "seed " << seed;
    }
}

TEST(DeepStreamPipeline, TakesALatencyAndAFifoPerStage)
{
    DeepStreamPipeline pipeline({MakeStage(4), MakeStage(6)});
    // 5 words written in cycles 10 to 14; the first is taken in 11, written in 15, taken in 16.
    const StreamDeparture departure = pipeline.Enter({40, 10, 14});
    EXPECT_EQ(departure.entered, 14);
    EXPECT_EQ(departure.first, 10 + 1 + 4 + 1 + 6);
    EXPECT_EQ(departure.last, departure.first + 4);
}

TEST(DeepStreamPipeline, HoldsBackPacketsThatComeFasterThanAStageStartsThem)
{
    DeepStreamPipeline pipeline({MakeStage(1, 5)});
    EXPECT_EQ(pipeline.Enter({8, 0, 0}).first, 2);
    EXPECT_EQ(pipeline.Enter({8, 1, 1}).first, 7);
    EXPECT_EQ(pipeline.Enter({8, 2, 2}).first, 12);
    // After a long one of 10 words there is nothing to wait for.
    EXPECT_EQ(pipeline.Enter({80, 3, 12}).first, 17);
    EXPECT_EQ(pipeline.Enter({8, 13, 13}).first, 27); // Behind its last word.
}

TEST(DeepStreamPipeline, RefusesWhatItCannotCount)
{
    StreamStage slow = MakeStage(1);
    slow.interval = 2;
    EXPECT_DEATH(DeepStreamPipeline({slow}), "does not carry a word");
    StreamStage wide = MakeStage(1);
    wide.widthOut = 16;
    EXPECT_DEATH(DeepStreamPipeline({wide}), "does not carry a word");
    EXPECT_DEATH(DeepStreamPipeline(std::vector<StreamStage>{}), "at least one stage");
}
