// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/power-tcp.h"

#include "ns3/boolean.h"
#include "ns3/double.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr Tick US{1'000'000};
constexpr uint64_t RATE{100'000'000'000};
constexpr double BDP{100'000};  ///< 100 Gb/s for 8 us.
constexpr double BETA{150};     ///< 150 Mb/s for 8 us.
constexpr double ALMOST{0.501}; ///< Windows are rounded to whole bytes.

/// PowerTCP on a path of one hop.
class PowerTcpTest : public testing::Test
{
  protected:
    void Start()
    {
        PathInfo path{DataRate(RATE), MicroSeconds(8), 1000};
        path.ownRtt = MicroSeconds(4);
        m_power->Start(path, Time(0));
    }

    /// Time passes, in which the port sends a share of what it can, and its queue gets a length.
    /// Then an answer comes.
    void Answer(Tick time, double load, uint32_t queueBytes, uint64_t inFlightBytes = 0)
    {
        m_hop.at += time;
        m_hop.sentBytes += static_cast<uint64_t>(load * RATE / 8e12 * static_cast<double>(time));
        m_hop.queueBytes = queueBytes;
        IntStack path(IntStack::MAX_HOPS);
        path.Push(m_hop);
        AckEvent ack{ToTime(m_hop.at), MicroSeconds(8), 1000, inFlightBytes, false};
        ack.path = &path;
        m_power->OnAck(ack);
    }

    double GetWindow() const
    {
        return static_cast<double>(m_power->GetLimit().windowBytes);
    }

    Ptr<PowerTcp> m_power = CreateObject<PowerTcp>();
    IntHop m_hop{0, 0, RATE, 0};
};

/// theta-PowerTCP with a base RTT of its own of 4 us: 50,000 B fit into the path.
class ThetaPowerTcpTest : public testing::Test
{
  protected:
    void Start()
    {
        PathInfo path{DataRate(RATE), MicroSeconds(8), 1000};
        path.ownRtt = MicroSeconds(4);
        m_theta->Start(path, Time(0));
    }

    void Answer(double afterUs, double rttUs, uint64_t inFlightBytes = 0)
    {
        m_now += NanoSeconds(static_cast<int64_t>(afterUs * 1000));
        m_theta->OnAck(
            {m_now, NanoSeconds(static_cast<int64_t>(rttUs * 1000)), 1000, inFlightBytes, false});
    }

    double GetWindow() const
    {
        return static_cast<double>(m_theta->GetLimit().windowBytes);
    }

    Ptr<ThetaPowerTcp> m_theta = CreateObject<ThetaPowerTcp>();
    Time m_now;
};
} // namespace

TEST_F(PowerTcpTest, StartsAtTheBandwidthDelayProductAndNeedsInt)
{
    Start();
    EXPECT_EQ(GetWindow(), BDP);
    EXPECT_EQ(m_power->GetLimit().rate, DataRate(RATE));
    EXPECT_EQ(m_power->GetNeededFeedback(), Feedback::INT);
    EXPECT_FALSE(m_power->UsesOwnPath());
}

// A constant queue of B tau behind a full link: current 1, voltage 2.
TEST_F(PowerTcpTest, TheWindowIsDividedByPower)
{
    Start();
    Answer(US, 1, 100'000);
    EXPECT_EQ(GetWindow(), BDP); // The first stack.
    Answer(8 * US, 1, 100'000);
    EXPECT_DOUBLE_EQ(m_power->GetPower(), 2);
    const double first = 0.9 * (BDP / 2 + BETA) + 0.1 * BDP; // 55,135.
    EXPECT_NEAR(GetWindow(), first, ALMOST);
    EXPECT_EQ(m_power->GetLimit().rate, DataRate(55'135'000'000)); // W / tau.
}

// Power 1, and the window of a round trip ago is that of now: it grows by gamma beta.
TEST_F(PowerTcpTest, AFullLinkWithoutQueueLetsTheWindowGrowByGammaTimesBeta)
{
    Start();
    Answer(US, 1, 100'000);
    Answer(8 * US, 1, 100'000);
    Answer(8 * US, 2, 0); // 100,000 B less in the queue, and twice as much sent: current 1.
    EXPECT_DOUBLE_EQ(m_power->GetPower(), 1);
    EXPECT_NEAR(GetWindow(), 55'135 + 0.9 * BETA, ALMOST);
}

// A queue that grows by half of B tau in tau: current 1.5; its length gives voltage 1.5.
TEST_F(PowerTcpTest, AGrowingQueueAddsToCurrentAndVoltage)
{
    Start();
    Answer(US, 1, 0);
    Answer(8 * US, 1, 50'000);
    EXPECT_DOUBLE_EQ(m_power->GetPower(), 2.25);
}

// A quarter of tau at power 2: 3/4 x 1 + 1/4 x 2.
TEST_F(PowerTcpTest, PowerIsAveragedOverTheBaseRtt)
{
    Start();
    Answer(US, 1, 100'000);
    Answer(2 * US, 1, 100'000);
    EXPECT_DOUBLE_EQ(m_power->GetPower(), 1.25);
}

TEST_F(PowerTcpTest, AnswersOfOneRoundTripDivideTheSameOldWindow)
{
    Start();
    Answer(US, 1, 100'000, 50'000);
    Answer(8 * US, 1, 100'000, 50'000);
    Answer(8 * US, 1, 100'000, 50'000);
    const double first = 0.9 * (BDP / 2 + BETA) + 0.1 * BDP;
    EXPECT_NEAR(GetWindow(), 0.9 * (BDP / 2 + BETA) + 0.1 * first, ALMOST);
}

TEST_F(PowerTcpTest, TheRestOfTheWindowIsTheOldOneIfAsked)
{
    m_power->SetAttribute("KeepsOldWindow", BooleanValue(true));
    Start();
    Answer(US, 1, 100'000, 50'000);
    Answer(8 * US, 1, 100'000, 50'000);
    Answer(8 * US, 1, 100'000, 50'000);
    EXPECT_NEAR(GetWindow(), 0.9 * (BDP / 2 + BETA) + 0.1 * BDP, ALMOST);
}

// An idle link without a bound would have power 0, and the window no end.
TEST_F(PowerTcpTest, TheCurrentHasALowerBound)
{
    Start();
    Answer(US, 1, 0);
    Answer(8 * US, 0, 0);
    EXPECT_DOUBLE_EQ(m_power->GetPower(), 0.5);
    EXPECT_EQ(GetWindow(), BDP); // Never above.
}

TEST_F(PowerTcpTest, ATargetBelowOneLeavesTheLinkPartlyEmpty)
{
    m_power->SetAttribute("TargetUtilization", DoubleValue(0.95));
    Start();
    Answer(US, 1, 0);
    Answer(8 * US, 1, 0);
    EXPECT_DOUBLE_EQ(m_power->GetPower(), 1 / 0.95);
    EXPECT_NEAR(GetWindow(), 0.9 * (BDP * 0.95 + BETA) + 0.1 * BDP, ALMOST);
}

TEST_F(PowerTcpTest, AnOvertakenAnswerChangesNothing)
{
    Start();
    Answer(2 * US, 1, 0);
    Answer(8 * US, 1, 100'000);
    const double window = GetWindow();
    m_hop.at -= 9 * US;
    Answer(0, 0, 500'000);
    EXPECT_EQ(GetWindow(), window);
}

TEST_F(PowerTcpTest, TheWindowIsNeverBelowTheMinimumRate)
{
    Start();
    Answer(US, 1, 0);
    for (int i = 0; i < 20; ++i)
    {
        Answer(8 * US, 1, 4'000'000'000U);
    }
    // Power about 40,000: what is left is 0.9 beta, above 100 Mb/s x 8 us = 100 B.
    EXPECT_NEAR(GetWindow(), BETA, 2);
    m_power->SetAttribute("AdditiveIncrease", DataRateValue(DataRate("0bps")));
    Start();
    for (int i = 0; i < 20; ++i)
    {
        Answer(8 * US, 1, 4'000'000'000U);
    }
    EXPECT_EQ(GetWindow(), 100);
}

// 6 us, 2 more than 4 us ago: current 1.5, voltage 1.5.
TEST_F(ThetaPowerTcpTest, PowerComesFromTheRoundTripAndItsGradient)
{
    Start();
    EXPECT_EQ(GetWindow(), 50'000);
    Answer(10, 4);
    EXPECT_EQ(GetWindow(), 50'000);
    Answer(4, 6);
    EXPECT_DOUBLE_EQ(m_theta->GetPower(), 2.25);
    EXPECT_NEAR(GetWindow(), 0.9 * (50'000 / 2.25 + 75) + 0.1 * 50'000, ALMOST);
    EXPECT_EQ(m_theta->GetNeededFeedback(), Feedback::NONE);
}

// A round trip of 10 us at once: current 1, voltage 2.5.
TEST_F(ThetaPowerTcpTest, TheFirstRoundTripMovesTheWindow)
{
    Start();
    Answer(10, 10);
    EXPECT_DOUBLE_EQ(m_theta->GetPower(), 2.5);
    EXPECT_NEAR(GetWindow(), 0.9 * (50'000 / 2.5 + 75) + 0.1 * 50'000, ALMOST);
}

// Current 1.5, voltage 6 / (1.05 x 4): power 15 / 7. 0.7 x (50,000 x 7 / 15 + 75) + 0.3 x 50,000.
TEST_F(ThetaPowerTcpTest, TheSimulatorsMarginAndGammaGiveItsWindow)
{
    m_theta->SetAttribute("Gamma", DoubleValue(0.7));
    m_theta->SetAttribute("RttMargin", DoubleValue(1.05));
    Start();
    Answer(10, 4);
    Answer(4, 6);
    EXPECT_DOUBLE_EQ(m_theta->GetPower(), 15.0 / 7);
    EXPECT_NEAR(GetWindow(), 31'385.83, ALMOST);
}

// The round trip falls by 3 us within 4 us: a current of 0.25, of which 0.5 counts.
TEST_F(ThetaPowerTcpTest, TheCurrentHasALowerBound)
{
    Start();
    Answer(10, 7);
    Answer(4, 4);
    EXPECT_DOUBLE_EQ(m_theta->GetPower(), 0.5);
}

TEST_F(ThetaPowerTcpTest, AnEmptyPathLetsTheWindowGrowByGammaTimesBeta)
{
    Start();
    Answer(10, 4);
    Answer(4, 6);
    Answer(4, 6); // Current 1, voltage 1.5.
    Answer(8, 4); // Current 0.75, voltage 1.
    EXPECT_DOUBLE_EQ(m_theta->GetPower(), 0.75);
    Answer(4, 4);
    const double window = GetWindow();
    Answer(4, 4);
    EXPECT_NEAR(GetWindow(), window + 0.9 * 75, 2 * ALMOST);
}

TEST_F(ThetaPowerTcpTest, TheWindowMovesOncePerRoundTrip)
{
    Start();
    Answer(10, 4, 2000);
    Answer(4, 6, 2000);
    Answer(4, 6, 2000);
    EXPECT_EQ(GetWindow(), 50'000);
    Answer(4, 6, 2000);
    EXPECT_LT(GetWindow(), 50'000);
}

// The second answer to a packet of the first round: power 1.5 x 1.5, from the old window.
TEST_F(ThetaPowerTcpTest, EachAnswerMovesTheWindowIfAsked)
{
    m_theta->SetAttribute("MovesEachAnswer", BooleanValue(true));
    Start();
    Answer(10, 4, 9000);
    Answer(4, 6, 9000);
    EXPECT_NEAR(GetWindow(), 0.9 * (50'000 / 2.25 + 75) + 0.1 * 50'000, ALMOST);
    Answer(4, 6, 9000); // Power 1 x 1.5, from the old window again.
    EXPECT_NEAR(GetWindow(), 0.9 * (50'000 / 1.5 + 75) + 0.1 * 50'000, ALMOST);
}

TEST_F(ThetaPowerTcpTest, TwoAnswersAtOneTimeAreNoDivisionByZero)
{
    Start();
    Answer(10, 4);
    Answer(0, 6);
    EXPECT_EQ(GetWindow(), 50'000);
    EXPECT_DOUBLE_EQ(m_theta->GetPower(), 1);
}
