// SPDX-License-Identifier: GPL-2.0-only
#include "clocked-pipeline-reference.h"

#include <gtest/gtest.h>
#include <random>

using namespace ns3::rdma;

namespace
{
constexpr uint32_t WIDTH{8};

ClockedStage
MakeStage(uint32_t latency,
          uint32_t packetInterval = 1,
          bool isStoreAndForward = false,
          uint32_t wordCycles = 1)
{
    return {"stage", latency, packetInterval, isStoreAndForward, wordCycles};
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
        const uint32_t latency = Draw(random, 1, 20);
        const uint32_t interval = Draw(random, 0, 2) == 0 ? Draw(random, 2, 20) : 1;
        const bool isStored = Draw(random, 0, 3) == 0;
        stages.push_back(MakeStage(latency, interval, isStored, isStored ? Draw(random, 1, 3) : 1));
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

TEST(ClockedPipeline, ChecksAStoredPacketAtTwoCyclesPerWordAndKeepsTheRate)
{
    ClockedPipeline pipeline({MakeStage(4, 1, true, 2)}, WIDTH);
    // Words are written in cycles 0 to 9. A checker takes the first in 1 and has the last in 20,
    // when the unit may start: the first word leaves in 24.
    const ClockedDeparture first = pipeline.Enter({80, 0, 9});
    EXPECT_EQ(first.first, 2 * 10 + 4);
    EXPECT_EQ(first.last, first.first + 9);
    // Two checkers take packets in turn, so the next ones follow without a gap.
    EXPECT_EQ(pipeline.Enter({80, 10, 19}).first, first.first + 10);
    EXPECT_EQ(pipeline.Enter({80, 20, 29}).first, first.first + 20);
    // Words that are further apart than two cycles: the last one is written in 145, checked in 147.
    EXPECT_EQ(pipeline.Enter({80, 100, 145}).first, 147 + 4);
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
    EXPECT_DEATH(ClockedPipeline({MakeStage(1, 1, true, 0)}, WIDTH), "checks without time");
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
