// SPDX-License-Identifier: GPL-2.0-only
#include "clocked-pipeline-reference.h"

#include <gtest/gtest.h>
#include <random>

using namespace ns3::rdma;

namespace
{
constexpr uint32_t WIDTH{8};

ClockedStage
MakeStage(uint32_t latency, uint32_t packetInterval = 1, bool isStoreAndForward = false)
{
    return {"stage", latency, packetInterval, isStoreAndForward};
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
    std::vector<ClockedStage> stages;
    for (uint32_t left = Draw(random, 1, 12); left > 0; --left)
    {
        stages.push_back(MakeStage(Draw(random, 1, 20),
                                   Draw(random, 0, 2) == 0 ? Draw(random, 2, 20) : 1,
                                   Draw(random, 0, 3) == 0));
    }
    std::vector<ClockedArrival> arrivals;
    ClockedPipelineReference reference(stages);
    Cycle now = Draw(random, 0, 5);
    for (uint32_t packet = 0; packet < 12; ++packet)
    {
        ClockedArrival arrival;
        arrival.bytes = Draw(random, 1, Draw(random, 0, 1) == 0 ? 40 : 1500);
        const Cycle words = (arrival.bytes + WIDTH - 1) / WIDTH;
        arrival.first = now;
        // Closer than the bus carries them, one per cycle, or with gaps.
        const Cycle span[] = {0, words - 1, words - 1 + Draw(random, 0, 200)};
        arrival.last = now + span[Draw(random, 0, 2)];
        now += Draw(random, 0, 2) * Draw(random, 0, 150);
        arrivals.push_back(arrival);
        std::vector<Cycle> offered{words == 1 ? arrival.last : arrival.first};
        for (Cycle i = 1; i < words; ++i) // Evenly.
        {
            offered.push_back(arrival.first + (arrival.last - arrival.first) * i / (words - 1));
        }
        reference.Offer(offered);
    }
    const auto& passages = reference.Run();
    ClockedPipeline pipeline(stages, WIDTH);
    for (std::size_t packet = 0; packet < arrivals.size(); ++packet)
    {
        const ClockedDeparture got = pipeline.Enter(arrivals[packet]);
        ASSERT_EQ(got.entered, passages[packet].entered) << "packet " << packet;
        ASSERT_EQ(got.first, passages[packet].first) << "packet " << packet;
        ASSERT_EQ(got.last, passages[packet].last) << "packet " << packet;
        for (std::size_t stage = 0; stage < stages.size(); ++stage)
        {
            ASSERT_EQ(pipeline.GetLatency(stage), passages[packet].latencies[stage])
                << "packet " << packet << ", stage " << stage;
        }
    }
}
} // namespace

TEST(ClockedPipeline, EqualsFifosAndRegistersThatAreSteppedCycleByCycle)
{
    for (uint32_t seed = 0; seed < 3000; ++seed)
    {
        CompareChain(seed);
        ASSERT_FALSE(testing::Test::HasFatalFailure()) << "seed " << seed;
    }
}

TEST(ClockedPipeline, TakesALatencyAndAFifoPerStage)
{
    ClockedPipeline pipeline({MakeStage(4), MakeStage(6)}, WIDTH);
    // 5 words written in cycles 10 to 14; the first is taken in 11, written in 15, taken in 16.
    const ClockedDeparture departure = pipeline.Enter({40, 10, 14});
    EXPECT_EQ(departure.entered, 14);
    EXPECT_EQ(departure.first, 10 + 1 + 4 + 1 + 6);
    EXPECT_EQ(departure.last, departure.first + 4);
}

TEST(ClockedPipeline, HoldsBackPacketsThatComeFasterThanAStageStartsThem)
{
    ClockedPipeline pipeline({MakeStage(1, 5)}, WIDTH);
    EXPECT_EQ(pipeline.Enter({8, 0, 0}).first, 2);
    EXPECT_EQ(pipeline.Enter({8, 1, 1}).first, 7);
    EXPECT_EQ(pipeline.Enter({8, 2, 2}).first, 12);
    // After a long one of 10 words there is nothing to wait for.
    EXPECT_EQ(pipeline.Enter({80, 3, 12}).first, 17);
    EXPECT_EQ(pipeline.Enter({8, 13, 13}).first, 27); // Behind its last word.
}

TEST(ClockedPipeline, RefusesStagesWithoutTime)
{
    EXPECT_DEATH(ClockedPipeline({}, WIDTH), "at least one stage");
    EXPECT_DEATH(ClockedPipeline({MakeStage(0)}, WIDTH), "has no latency");
    EXPECT_DEATH(ClockedPipeline({MakeStage(1, 0)}, WIDTH), "has no packet interval");
    EXPECT_DEATH(ClockedPipeline({MakeStage(1)}, 0), "at least 1 byte");
}

TEST(ClockedEntry, TakesTheNextItemAfterTheIntervalOfTheOneBefore)
{
    ClockedEntry entry;
    EXPECT_EQ(entry.Take(-3, 4), -3);
    EXPECT_EQ(entry.GetNext(0), 1); // -3 + 4.
    EXPECT_EQ(entry.Take(0, 2), 1);
    EXPECT_EQ(entry.Take(10, 1), 10);
    entry.Block(5);
    EXPECT_EQ(entry.GetNext(0), 11); // A block that has passed changes nothing.
    entry.Block(20);
    EXPECT_EQ(entry.GetNext(0), 20);
}
