// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/stream-pipeline.h"

#include "stream-pipeline-reference.h"

#include <gtest/gtest.h>
#include <random>

using namespace ns3::rdma;

namespace
{
using Random = std::mt19937;

uint32_t
Draw(Random& random, uint32_t least, uint32_t most)
{
    return std::uniform_int_distribution<uint32_t>(least, most)(random);
}

/// Ready in some cycles, whatever is offered.
class StallingSink : public StreamSink
{
  public:
    /// @param percent of the cycles in which it takes nothing; in pieces of `length` cycles
    StallingSink(uint32_t seed, uint32_t percent, uint32_t length)
        : m_seed(seed),
          m_percent(percent),
          m_length(length)
    {
    }

    bool IsReady(Cycle cycle) const
    {
        std::minstd_rand random(m_seed + static_cast<uint32_t>(cycle / m_length) * 7919U);
        random();
        return random() % 100 >= m_percent;
    }

    Cycle GetReady(Cycle offered) override
    {
        while (!IsReady(offered))
        {
            ++offered;
        }
        return offered;
    }

  private:
    uint32_t m_seed;
    uint32_t m_percent;
    uint32_t m_length;
};

constexpr uint32_t MAX_PACKET{256};

std::vector<StreamStage>
DrawStages(Random& random)
{
    const uint32_t widths[] = {4, 8, 16, 32};
    std::vector<StreamStage> stages(Draw(random, 1, 12));
    uint32_t width = widths[Draw(random, 0, 3)];
    for (StreamStage& stage : stages)
    {
        stage.latency = Draw(random, 1, 6);
        stage.interval = Draw(random, 0, 3) == 0 ? Draw(random, 2, 4) : 1;
        stage.packetInterval = Draw(random, 0, 3) == 0 ? Draw(random, 2, 20) : 1;
        stage.widthIn = width;
        width = Draw(random, 0, 2) == 0 ? widths[Draw(random, 0, 3)] : width;
        stage.widthOut = width;
        stage.fifoDepth = Draw(random, 0, 1) == 0 ? Draw(random, 1, 4) : Draw(random, 1, 64);
        // Such a stage must hold the largest packet.
        stage.isStoreAndForward =
            stage.fifoDepth * stage.widthIn >= MAX_PACKET && Draw(random, 0, 1) == 0;
    }
    return stages;
}

std::vector<StreamArrival>
DrawArrivals(Random& random, uint32_t width)
{
    std::vector<StreamArrival> arrivals(Draw(random, 1, 4));
    Cycle now = Draw(random, 0, 5);
    for (StreamArrival& arrival : arrivals)
    {
        arrival.bytes = Draw(random, 1, Draw(random, 0, 1) == 0 ? 40 : MAX_PACKET);
        arrival.first = now;
        const Cycle words = (arrival.bytes + width - 1) / width;
        arrival.last = now + words - 1 + (Draw(random, 0, 2) == 0 ? Draw(random, 0, 60) : 0);
        now = arrival.last + 1 + (Draw(random, 0, 1) == 0 ? Draw(random, 0, 80) : 0);
    }
    return arrivals;
}

void
OfferAll(StreamPipelineReference& reference,
         const std::vector<StreamArrival>& arrivals,
         uint32_t width)
{
    for (uint32_t p = 0; p < arrivals.size(); ++p)
    {
        const StreamArrival& arrival = arrivals[p];
        const uint32_t words = (arrival.bytes + width - 1) / width;
        for (uint32_t i = 0; i < words; ++i)
        {
            const Cycle at = words == 1 ? arrival.last
                                        : arrival.first + (arrival.last - arrival.first) *
                                                              Cycle{i} / Cycle{words - 1};
            const uint32_t bytes = std::min(width, arrival.bytes - i * width);
            reference.Offer(at, p, bytes, i + 1 == words);
        }
    }
}

/// @return the first and last cycle of each packet's words
std::vector<StreamDeparture>
GetDepartures(const StreamPipelineReference& reference, std::size_t packets)
{
    std::vector<StreamDeparture> departures(packets, {0, -1, 0});
    for (const auto& written : reference.GetWritten())
    {
        departures[written.packet].entered = written.at;
    }
    for (const auto& taken : reference.GetTaken())
    {
        StreamDeparture& departure = departures[taken.packet];
        departure.first = departure.first < 0 ? taken.at : departure.first;
        departure.last = taken.at;
    }
    return departures;
}

void
CompareChain(uint32_t seed)
{
    Random random(seed);
    const std::vector<StreamStage> stages = DrawStages(random);
    const std::vector<StreamArrival> arrivals = DrawArrivals(random, stages.front().widthIn);
    StallingSink sink(seed, Draw(random, 0, 2) == 0 ? 0 : Draw(random, 1, 80), Draw(random, 1, 16));

    StreamPipelineReference reference(stages, [&sink](Cycle c) { return sink.IsReady(c); });
    OfferAll(reference, arrivals, stages.front().widthIn);
    ASSERT_TRUE(reference.Run(100'000));
    const auto expected = GetDepartures(reference, arrivals.size());

    StreamPipeline pipeline(stages, &sink);
    for (std::size_t p = 0; p < arrivals.size(); ++p)
    {
        const StreamDeparture departure = pipeline.Enter(arrivals[p]);
        ASSERT_EQ(departure.entered, expected[p].entered) << "packet " << p;
        ASSERT_EQ(departure.first, expected[p].first) << "packet " << p;
        ASSERT_EQ(departure.last, expected[p].last) << "packet " << p;
    }
    for (std::size_t i = 0; i < stages.size(); ++i)
    {
        ASSERT_EQ(pipeline.GetStats(i).waitCycles, reference.GetWaitCycles(i)) << "stage " << i;
        ASSERT_EQ(pipeline.GetStats(i).maxOccupancy, reference.GetMaxOccupancy(i)) << "stage " << i;
    }
}
} // namespace

TEST(StreamPipeline, EqualsACycleByCycleReferenceOnAThousandRandomChains)
{
    for (uint32_t seed = 1; seed <= 1'000; ++seed)
    {
        ASSERT_NO_FATAL_FAILURE(CompareChain(seed)) << "seed " << seed;
    }
}

TEST(SlowStreamPipeline, EqualsACycleByCycleReferenceOnNineThousandMoreChains)
{
    for (uint32_t seed = 1'001; seed <= 10'000; ++seed)
    {
        ASSERT_NO_FATAL_FAILURE(CompareChain(seed)) << "seed " << seed;
    }
}

TEST(StreamPipeline, AWordTakesACyclePerFifoAndTheLatencies)
{
    StreamPipeline pipeline({{"a", 3}, {"b", 5}});
    // Written in cycle 10, taken in 11, leaves a in 14, taken in 15, leaves b in 20.
    const StreamDeparture departure = pipeline.Enter({64, 10, 10});
    EXPECT_EQ(departure.entered, 10);
    EXPECT_EQ(departure.first, 20);
    EXPECT_EQ(departure.last, 20);
    EXPECT_EQ(pipeline.GetStats(0).latencyCycles, 4);
    EXPECT_EQ(pipeline.GetStats(1).maxLatency, 6);
}

TEST(StreamPipeline, AStoreAndForwardStageAddsThePacketsWords)
{
    StreamPipeline cutThrough({{"icrc", 1, 1, 1, 8, 8, 256, false}});
    StreamPipeline stored({{"icrc", 1, 1, 1, 8, 8, 256, true}});
    // 1408 bytes are 176 words of 8: the first leaves 175 cycles later (StRoM section 7.1).
    EXPECT_EQ(cutThrough.Enter({1408, 0, 175}).first, 2);
    EXPECT_EQ(stored.Enter({1408, 0, 175}).first, 177);
    EXPECT_EQ(stored.GetMaxBytes(), 2048);
}

TEST(StreamPipeline, AFifoOfOneWordHalvesTheRate)
{
    StreamPipeline single({{"a", 1, 1, 1, 8, 8, 64}, {"b", 1, 1, 1, 8, 8, 1}});
    StreamPipeline pair({{"a", 1, 1, 1, 8, 8, 64}, {"b", 1, 1, 1, 8, 8, 2}});
    const StreamDeparture slow = single.Enter({800, 0, 99});
    const StreamDeparture fast = pair.Enter({800, 0, 99});
    EXPECT_EQ(fast.last - fast.first, 99);
    EXPECT_EQ(slow.last - slow.first, 198);
}

TEST(StreamPipeline, APacketIntervalBoundsTheRateOfSmallPackets)
{
    // StRoM's State Table takes 5 cycles per packet (section 4.1).
    StreamPipeline pipeline({{"bth", 5, 1, 5, 64, 64, 512}});
    StreamDeparture departure;
    for (Cycle i = 0; i < 100; ++i)
    {
        departure = pipeline.Enter({64, i, i});
    }
    EXPECT_EQ(departure.first, 1 + 99 * 5 + 5);
}

TEST(StreamPipeline, BackPressureReachesTheSource)
{
    struct Closed : StreamSink
    {
        Cycle GetReady(Cycle offered) override
        {
            return std::max<Cycle>(offered, 1000);
        }
    } closed;

    StreamPipeline pipeline({{"a", 2, 1, 1, 8, 8, 4}}, &closed);
    // Two registers and a FIFO of 4: the 7th word waits until the first word is out.
    EXPECT_EQ(pipeline.Enter({48, 0, 5}).entered, 5);
    EXPECT_EQ(pipeline.Enter({8, 6, 6}).entered, 1001);
}

TEST(StreamPipeline, RefusesStagesThatDoNotFit)
{
    EXPECT_DEATH(StreamPipeline({{"a", 1, 1, 1, 8, 16}, {"b", 1, 1, 1, 8, 8}}), "words of 8 bytes");
    EXPECT_DEATH(StreamPipeline({{"a", 1, 1, 1, 8, 12}}), "divides");
    EXPECT_DEATH(StreamPipeline(std::vector<StreamStage>{}), "at least one");
    EXPECT_DEATH(StreamPipeline({{"a", 0}}), "no latency");
}
