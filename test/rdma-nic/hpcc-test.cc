// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/hpcc.h"

#include "ns3/boolean.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr Tick US{1'000'000};
constexpr uint64_t RATE{100'000'000'000};
constexpr uint64_t BDP{100'000}; ///< 100 Gb/s for 8 us.
constexpr uint64_t STEP{80};
constexpr double ETA{0.95};

/// HPCC on a path whose hops the test counts on.
class HpccTest : public testing::Test
{
  protected:
    explicit HpccTest(uint32_t hops = 1)
        : m_hops(hops, IntHop{0, 0, RATE, 0})
    {
        Start();
    }

    void Start()
    {
        PathInfo path{DataRate(RATE), MicroSeconds(8), 1000};
        path.ownRtt = MicroSeconds(4);
        m_hpcc->Start(path, Time(0));
    }

    /// A hop goes on: so much time, so many bytes of its rate times that, and a queue.
    void Pass(uint32_t hop, Tick time, double load, uint32_t queueBytes)
    {
        m_hops[hop].at += time;
        m_hops[hop].sentBytes += static_cast<uint64_t>(load * static_cast<double>(RATE) / 8e12 *
                                                       static_cast<double>(time));
        m_hops[hop].queueBytes = queueBytes;
    }

    /// Answers a packet that has seen the hops as they are.
    void Answer(uint64_t ackedBytes, uint64_t inFlightBytes)
    {
        IntStack path(IntStack::MAX_HOPS);
        for (const IntHop& hop : m_hops)
        {
            path.Push(hop);
        }
        AckEvent ack{ToTime(m_hops[0].at), MicroSeconds(8), ackedBytes, inFlightBytes, false};
        ack.path = &path;
        m_hpcc->OnAck(ack);
    }

    /// One RTT passes at a load, then an answer comes that may move the reference window.
    void PassRtt(double load, uint32_t queueBytes = 0)
    {
        Pass(0, 8 * US, load, queueBytes);
        Answer(1000, 0);
    }

    uint64_t GetWindow() const
    {
        return m_hpcc->GetLimit().windowBytes;
    }

    Ptr<Hpcc> m_hpcc = CreateObject<Hpcc>();
    std::vector<IntHop> m_hops;
};

class HpccOnTwoHops : public HpccTest
{
  protected:
    HpccOnTwoHops()
        : HpccTest(2)
    {
    }
};
} // namespace

TEST_F(HpccTest, AsksForIntAndStartsWithABandwidthDelayProduct)
{
    EXPECT_EQ(m_hpcc->GetNeededFeedback(), Feedback::INT);
    EXPECT_FALSE(m_hpcc->UsesOwnPath());
    EXPECT_EQ(GetWindow(), BDP);
    EXPECT_EQ(m_hpcc->GetLimit().rate, DataRate(RATE));
    EXPECT_EQ(m_hpcc->GetLimit().deadline, Time::Max());
}

TEST_F(HpccTest, TheFirstAnswerOnlySetsTheMeasure)
{
    Pass(0, 100 * US, 1, 1'000'000);
    Answer(1000, 99'000);
    EXPECT_EQ(GetWindow(), BDP);
}

TEST_F(HpccTest, AFullLinkWithoutQueueLeavesEtaOfTheWindow)
{
    Answer(1000, 0);
    PassRtt(1);
    // U = 1: w = 0.95 wc + 80.
    EXPECT_DOUBLE_EQ(m_hpcc->GetUtilization(), 1);
    EXPECT_EQ(GetWindow(), 95'080);
    EXPECT_EQ(m_hpcc->GetLimit().rate, DataRate(95'080'000'000)); // W / T.
    PassRtt(1);
    EXPECT_EQ(GetWindow(), 90'406); // 0.95 x 95,080 + 80.
}

TEST_F(HpccTest, TheSmallerOfTwoQueuesCounts)
{
    Pass(0, US, 1, 20'000);
    Answer(1000, 0);
    PassRtt(1, 50'000);
    // 20,000 of 100,000 B that fit into the path, and the full link.
    EXPECT_DOUBLE_EQ(m_hpcc->GetUtilization(), 1.2);
    EXPECT_EQ(GetWindow(), 79'247); // 100,000 x 0.95 / 1.2 + 80.
    PassRtt(1, 30'000);
    EXPECT_DOUBLE_EQ(m_hpcc->GetUtilization(), 1.3);
}

TEST_F(HpccTest, TheAverageGoesOverOneRtt)
{
    Answer(1000, 0);
    Pass(0, 2 * US, 2, 0);
    Answer(1000, 0);
    // A quarter of T at 2: 3/4 x 1 + 1/4 x 2.
    EXPECT_DOUBLE_EQ(m_hpcc->GetUtilization(), 1.25);
    EXPECT_EQ(GetWindow(), 76'080); // 100,000 x 0.95 / 1.25 + 80.
    Pass(0, 80 * US, 1.5, 0);
    Answer(1000, 0);
    EXPECT_DOUBLE_EQ(m_hpcc->GetUtilization(), 1.5); // Longer than T: all of it.
}

TEST_F(HpccTest, AnswersOfOneRttReactToTheSameReferenceWindow)
{
    Answer(1000, 99'000);
    for (int i = 0; i < 4; ++i)
    {
        Pass(0, US, 1, 0);
        Answer(20'000, 99'000);
        EXPECT_EQ(GetWindow(), 95'080) << i;
    }
    Pass(0, US, 1, 0);
    Answer(20'000, 95'000); // 101,000 acknowledged, of which 100,000 were under way at first.
    EXPECT_EQ(GetWindow(), 95'080);
    Pass(0, US, 1, 0);
    Answer(1000, 95'000);
    EXPECT_EQ(GetWindow(), 90'406); // The next RTT, from 95,080.
}

TEST_F(HpccTest, GrowsByStepsAndAfterFiveOfThemAtOnce)
{
    Answer(1000, 0);
    PassRtt(4); // U = 4: 100,000 x 0.95 / 4 + 80.
    EXPECT_EQ(GetWindow(), 23'830);
    for (uint64_t stage = 1; stage <= 5; ++stage)
    {
        PassRtt(0.5);
        EXPECT_EQ(GetWindow(), 23'830 + stage * STEP);
    }
    PassRtt(0.5);
    EXPECT_EQ(GetWindow(), 46'117); // 24,230 x 0.95 / 0.5 + 80.
    PassRtt(0.5);
    EXPECT_EQ(GetWindow(), 46'197); // The stages begin anew.
}

TEST_F(HpccTest, NeverExceedsTheBandwidthDelayProductNorFallsBelowItsMinimum)
{
    Answer(1000, 0);
    PassRtt(0.1);
    EXPECT_EQ(GetWindow(), BDP);
    for (int i = 0; i < 20; ++i)
    {
        PassRtt(50);
    }
    EXPECT_EQ(GetWindow(), 100); // 100 Mb/s of 100 Gb/s: 100 B of 100,000.
    EXPECT_EQ(m_hpcc->GetLimit().rate, DataRate("100Mbps"));
}

TEST_F(HpccTest, AnAnswerThatIsLateOrTakesAnotherPathChangesNothing)
{
    Answer(1000, 0);
    PassRtt(1);
    const uint64_t window = GetWindow();
    const IntHop hop = m_hops[0];
    m_hops[0] = {hop.at - US, hop.sentBytes - 5000, RATE, 500'000};
    Answer(1000, 0);
    EXPECT_EQ(GetWindow(), window);
    m_hops = {{hop.at + US, hop.sentBytes + 1'000'000, 400'000'000'000, 0}};
    Answer(1000, 0);
    EXPECT_EQ(GetWindow(), window);
    m_hops.push_back({hop.at + US, 0, RATE, 0});
    Answer(1000, 0);
    EXPECT_EQ(GetWindow(), window);
    m_hpcc->OnAck({Seconds(1), MicroSeconds(8), 1000, 0, true}); // Without a path.
    EXPECT_EQ(GetWindow(), window);
}

TEST_F(HpccTest, TheNextAnswerIsMeasuredAsIfThereHadBeenNoLateOne)
{
    const auto run = [this](bool hasLateOne) {
        m_hpcc = CreateObject<Hpcc>();
        m_hops = {IntHop{0, 0, RATE, 0}};
        Start();
        Answer(1000, 0);
        PassRtt(1);
        if (hasLateOne)
        {
            const IntHop newest = m_hops[0];
            m_hops[0] = {newest.at - US, newest.sentBytes - 5000, RATE, 500'000};
            Answer(0, 50'000);
            m_hops[0] = newest;
        }
        PassRtt(0.5);
        PassRtt(0.5);
        return GetWindow();
    };
    EXPECT_EQ(run(true), run(false));
}

TEST_F(HpccOnTwoHops, TheFullestLinkCounts)
{
    Answer(1000, 0);
    Pass(0, 8 * US, 0.5, 0);
    Pass(1, 8 * US, 1.5, 0);
    Answer(1000, 0);
    EXPECT_DOUBLE_EQ(m_hpcc->GetUtilization(), 1.5);
}

TEST_F(HpccTest, WithoutWindowTheRateAloneLimits)
{
    m_hpcc->SetAttribute("WindowLimited", BooleanValue(false));
    Answer(1000, 0);
    PassRtt(1);
    EXPECT_EQ(GetWindow(), std::numeric_limits<uint64_t>::max());
    EXPECT_EQ(m_hpcc->GetLimit().rate, DataRate(95'080'000'000));
}

TEST_F(HpccTest, WithItsOwnRttTheWindowIsThatOfItsOwnPath)
{
    m_hpcc->SetAttribute("OwnRtt", BooleanValue(true));
    EXPECT_TRUE(m_hpcc->UsesOwnPath());
    Start();
    EXPECT_EQ(GetWindow(), BDP / 2); // 4 us.
}

TEST_F(HpccTest, AForkHasTheAttributesAndAStateOfItsOwn)
{
    m_hpcc->SetAttribute("Step", UintegerValue(1000));
    Answer(1000, 0);
    const auto fork = m_hpcc->Fork();
    PassRtt(1);
    EXPECT_EQ(GetWindow(), 96'000);
    EXPECT_EQ(fork->GetLimit().windowBytes, BDP);
}
