// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/timely.h"

#include "../expect-error.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/object-factory.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr uint64_t GBPS{1'000'000'000};
constexpr uint64_t DELTA{10'000'000};

/// A round trip and the rate after it.
struct Step
{
    int64_t rttNs;
    uint64_t bitRate;
};

// Steps of a flow in HPCC's simulator (alibaba-edu/High-Precision-Congestion-Control, 9f4be2a),
// with four flows to one server of a switch at 100 Gb/s, RATE_AI 1 Gb/s, RATE_HAI 5 Gb/s, MIN_RATE
// 100 Mb/s and CC_MODE 7: its rdma-hw.cc prints them with PRINT_LOG.
constexpr int64_t FIRST_RTT_NS{57937};
constexpr Step HPCC_STEPS[] = {
    {127483, 100'000'000},   {8923, 1'100'000'000},   {4176, 2'100'000'000},
    {4176, 3'100'000'000},   {4176, 4'100'000'000},   {4176, 5'100'000'000},
    {4231, 10'100'000'000},  {4176, 15'100'000'000},  {4255, 20'100'000'000},
    {4176, 25'100'000'000},  {4207, 30'100'000'000},  {4199, 35'100'000'000},
    {4229, 40'100'000'000},  {4333, 45'100'000'000},  {4879, 50'100'000'000},
    {6298, 55'100'000'000},  {9070, 60'100'000'000},  {14674, 65'100'000'000},
    {26182, 70'100'000'000}, {52075, 2'813'154'884},  {112639, 100'000'000},
    {67909, 1'100'000'000},  {4176, 2'100'000'000},   {4176, 3'100'000'000},
    {4176, 4'100'000'000},   {4176, 5'100'000'000},   {4176, 10'100'000'000},
    {4176, 15'100'000'000},  {4176, 20'100'000'000},  {4176, 25'100'000'000},
    {4176, 30'100'000'000},  {4176, 35'100'000'000},  {4176, 40'100'000'000},
    {4176, 45'100'000'000},  {4176, 50'100'000'000},  {4213, 55'100'000'000},
    {4297, 60'100'000'000},  {4900, 65'100'000'000},  {5964, 70'100'000'000},
    {8049, 75'100'000'000},  {11481, 80'100'000'000}, {17669, 85'100'000'000},
    {28904, 90'100'000'000}, {50564, 17'038'736'081},
};

/// TIMELY at 100 Gb/s; each answer covers a packet of 1,000 bytes, with nothing else in flight.
class TimelyTest : public testing::Test
{
  protected:
    void Start()
    {
        m_timely->Start({DataRate("100Gbps"), MicroSeconds(8), 1000}, Time(0));
    }

    void Answer(double rttUs, uint64_t inFlightBytes = 0)
    {
        m_now += MicroSeconds(10);
        m_timely->OnAck(
            {m_now, NanoSeconds(std::llround(rttUs * 1000)), 1000, inFlightBytes, false});
    }

    uint64_t GetRate() const
    {
        return m_timely->GetLimit().rate.GetBitRate();
    }

    Ptr<Timely> m_timely = CreateObject<Timely>();
    Time m_now;
};
} // namespace

TEST_F(TimelyTest, StartsAtLineRateAndTheFirstRoundTripChangesNothing)
{
    Start();
    EXPECT_EQ(GetRate(), 100 * GBPS);
    Answer(1000);
    EXPECT_EQ(GetRate(), 100 * GBPS);
    EXPECT_EQ(m_timely->GetNeededFeedback(), Feedback::NONE);
    EXPECT_EQ(m_timely->GetLimit().windowBytes, std::numeric_limits<uint64_t>::max());
}

// Difference 0.875 x 20 us = 17.5 us, gradient 17.5 / 20 = 0.875, factor 1 - 0.8 x 0.875 = 0.3.
TEST_F(TimelyTest, ARisingRoundTripMultipliesTheRateByOneMinusBetaTimesTheGradient)
{
    Start();
    Answer(80);
    Answer(100);
    EXPECT_DOUBLE_EQ(m_timely->GetGradient(), 0.875);
    EXPECT_EQ(GetRate(), 30 * GBPS);
}

// After 30 Gb/s: 40 us is below 50 us. Differences are averaged further: 0.125 x 17.5 + 0.875 x
// (40 - 100) = -50.3125 us.
TEST_F(TimelyTest, BelowTheLowThresholdTheRateGrowsByOneStep)
{
    Start();
    Answer(80);
    Answer(100);
    for (int i = 1; i <= 7; ++i)
    {
        Answer(40);
        EXPECT_EQ(GetRate(), 30 * GBPS + i * DELTA);
    }
}

TEST_F(TimelyTest, TheAverageOfDifferencesGoesOnBelowTheLowThreshold)
{
    Start();
    Answer(80);
    Answer(100);
    Answer(40);
    EXPECT_DOUBLE_EQ(m_timely->GetGradient(), -50.3125 / 20);
}

// 1 - 0.8 x (1 - 500 / 1000) = 0.6, whatever the gradient.
TEST_F(TimelyTest, AboveTheHighThresholdTheRateFallsByTheDistance)
{
    Start();
    Answer(1000);
    Answer(1000);
    EXPECT_EQ(GetRate(), 60 * GBPS);
    Answer(1000);
    EXPECT_EQ(GetRate(), 36 * GBPS);
}

// Two halves, then 100 us each time: gradients 0. Five single steps, then steps of 5.
TEST_F(TimelyTest, AfterFiveIncreasesInARowStepsAreFiveTimesAsLarge)
{
    Start();
    Answer(80);
    Answer(100);
    uint64_t expected = 30 * GBPS;
    Answer(80); // 0.125 x 17.5 - 0.875 x 20 < 0.
    expected += DELTA;
    EXPECT_EQ(GetRate(), expected);
    for (int i = 2; i <= 8; ++i)
    {
        Answer(80);
        expected += i <= 5 ? DELTA : 5 * DELTA;
        EXPECT_EQ(GetRate(), expected);
    }
    Answer(79);
    expected += 5 * DELTA;
    EXPECT_EQ(GetRate(), expected);
    Answer(99);
    EXPECT_LT(GetRate(), expected / 2);
    expected = GetRate();
    Answer(70);
    EXPECT_EQ(GetRate(), expected + DELTA);
}

TEST_F(TimelyTest, IncreasesBelowTheLowThresholdAreHyperactiveOnlyIfAsked)
{
    m_timely->SetAttribute("HyperBelowLow", BooleanValue(true));
    Start();
    Answer(80);
    Answer(100);
    for (int i = 0; i < 5; ++i)
    {
        Answer(40);
    }
    EXPECT_EQ(GetRate(), 30 * GBPS + 5 * DELTA);
    Answer(40);
    EXPECT_EQ(GetRate(), 30 * GBPS + 10 * DELTA);
}

TEST_F(TimelyTest, AnEventIsAnAnswerToAPacketThatWasSentAfterTheLastEvent)
{
    Start();
    Answer(80, 2000); // Answers to the two packets in flight are no events.
    Answer(100, 2000);
    Answer(100, 2000);
    EXPECT_EQ(GetRate(), 100 * GBPS);
    Answer(100, 2000);
    EXPECT_EQ(GetRate(), 30 * GBPS);
}

TEST_F(TimelyTest, AnEventIsAnAnswerPerSegmentIfAsked)
{
    m_timely->SetAttribute("SampleBytes", UintegerValue(3000));
    Start();
    Answer(80, 90'000);
    Answer(100, 90'000);
    Answer(100, 90'000);
    EXPECT_EQ(GetRate(), 100 * GBPS);
    Answer(100, 90'000);
    EXPECT_EQ(GetRate(), 30 * GBPS);
}

TEST_F(TimelyTest, TheRateStaysBetweenTheMinimumAndTheLine)
{
    Start();
    Answer(80);
    Answer(120); // Gradient 1.75: the factor would be below 0.
    EXPECT_EQ(GetRate(), GBPS / 10);
    m_timely->SetAttribute("AdditiveIncrease", DataRateValue(DataRate("400Gbps")));
    Answer(40);
    EXPECT_EQ(GetRate(), 100 * GBPS);
}

TEST_F(TimelyTest, RoundTripsOfHpccsSimulatorGiveItsRates)
{
    m_timely->SetAttribute("AdditiveIncrease", DataRateValue(DataRate("1Gbps")));
    m_timely->SetAttribute("HyperBelowLow", BooleanValue(true));
    Start();
    Answer(FIRST_RTT_NS / 1000.0);
    for (const Step& step : HPCC_STEPS)
    {
        Answer(static_cast<double>(step.rttNs) / 1000);
        // It cuts products to whole bit/s.
        EXPECT_NEAR(static_cast<double>(GetRate()), static_cast<double>(step.bitRate), 1)
            << step.rttNs;
    }
}

// 100 Gb/s for 8 us are 100,000 bytes; after the cut by 0.3 (above), 30,000.
TEST_F(TimelyTest, AWindowOfBaseRoundTripsFollowsTheRate)
{
    m_timely->SetAttribute("WindowRtts", DoubleValue(1));
    Start();
    EXPECT_EQ(m_timely->GetLimit().windowBytes, 100'000U);
    Answer(80);
    Answer(100);
    EXPECT_EQ(m_timely->GetLimit().windowBytes, 30'000U);
    m_timely->SetAttribute("WindowRtts", DoubleValue(1.5));
    Start();
    EXPECT_EQ(m_timely->GetLimit().windowBytes, 150'000U);
}

TEST_F(TimelyTest, TheTimeInHostsIsNoPartOfTheRoundTrip)
{
    Start();
    Answer(80);
    AckEvent ack{MicroSeconds(100), MicroSeconds(500), 1000, 0, false};
    ack.hostTime = MicroSeconds(400);
    m_timely->OnAck(ack);
    EXPECT_EQ(GetRate(), 30 * GBPS);
}

TEST(Timely, ThresholdsOutOfOrderAreNamed)
{
    ExpectError<std::invalid_argument>(
        [] { CreateObjectWithAttributes<Timely>("LowThreshold", TimeValue(MicroSeconds(600))); },
        "ns3::rdma::Timely::HighThreshold: expected more than LowThreshold, 600000 ns, got 500000 "
        "ns");
}
