// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/smartt.h"

#include "ns3/double.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr double PACKET{1000};
constexpr double LARGEST{187'500}; ///< 1.5 x 100 Gb/s x 10 us.
constexpr double FAIR{0.8 / LARGEST * PACKET};

/// SMaRTT with a base RTT of 10 us, so a target of 17 us. Each answer covers a packet.
class SmarttTest : public testing::Test
{
  protected:
    void Start()
    {
        m_smartt->Start({DataRate("100Gbps"), MicroSeconds(10), 1000}, Time(0));
    }

    void Answer(double rttUs, bool isMarked, uint64_t inFlightBytes = 0)
    {
        m_now += NanoSeconds(80);
        m_smartt->OnAck({m_now,
                         NanoSeconds(static_cast<int64_t>(rttUs * 1000)),
                         1000,
                         inFlightBytes,
                         isMarked});
    }

    double GetWindow() const
    {
        return m_smartt->GetWindow();
    }

    Ptr<Smartt> m_smartt = CreateObject<Smartt>();
    Time m_now{MicroSeconds(1)};
};
} // namespace

TEST_F(SmarttTest, StartsWithTheLargestWindowAndNeedsMarks)
{
    Start();
    EXPECT_EQ(GetWindow(), LARGEST);
    EXPECT_EQ(m_smartt->GetNeededFeedback(), Feedback::ECN_ECHO);
    EXPECT_EQ(m_smartt->GetLimit().windowBytes, 187'500U);
}

// w (1 - 0.8 x 1000 / 187,500) = 186,700.
TEST_F(SmarttTest, AMarkBelowTheTargetTakesAFairShare)
{
    Start();
    Answer(12, true);
    EXPECT_DOUBLE_EQ(GetWindow(), 186'700);
}

// min(1000, 1000 x (34 - 17) / 34) = 500, then the fair share.
TEST_F(SmarttTest, AMarkAboveTheTargetTakesTheExcessToo)
{
    Start();
    Answer(34, true);
    EXPECT_DOUBLE_EQ(GetWindow(), (LARGEST - 500) * (1 - FAIR));
}

TEST_F(SmarttTest, WithoutMarkAboveTheTargetTheWindowGrowsByAFairShare)
{
    Start();
    Answer(12, true);
    Answer(17, false);
    EXPECT_DOUBLE_EQ(GetWindow(), 186'700 + 0.25 * PACKET * PACKET / 186'700);
}

// 2 x 1000 x (17 - 12) x 1000 / (186,700 x 12) = 4.4635, then the fair share.
TEST_F(SmarttTest, WithoutMarkBelowTheTargetItGrowsByTheDistanceToo)
{
    Start();
    Answer(12, true);
    Answer(12, false);
    const double raised = 186'700 + 2 * PACKET * 5 * PACKET / (186'700 * 12);
    EXPECT_DOUBLE_EQ(GetWindow(), raised + 0.25 * PACKET * PACKET / raised);
}

// With a window of a packet, 2 x 1000 x (17 - 11) x 1000 / (1000 x 11) = 1,091: more than the 1,000
// bytes of the answer, which bound it. Then 0.25 x 1000 x 1000 / 2000.
TEST_F(SmarttTest, AnAnswerRaisesTheWindowByNoMoreThanItsBytes)
{
    Start();
    m_smartt->OnTimeout({MicroSeconds(5), 1'000'000, 1'000'000, 1});
    Answer(11, false);
    EXPECT_DOUBLE_EQ(GetWindow(), 2 * PACKET + 125);
}

// 3 x 1000 x (34 - 17) / 34 = 1,500: more than the 1,000 bytes of the answer.
TEST_F(SmarttTest, AnAnswerReducesTheWindowByNoMoreThanItsBytesBeforeTheFairShare)
{
    m_smartt->SetAttribute("MultiplicativeDecrease", DoubleValue(3));
    Start();
    Answer(34, true);
    EXPECT_DOUBLE_EQ(GetWindow(), (LARGEST - PACKET) * (1 - FAIR));
}

// 50 marks take about a fifth. Then 154 answers without delay are more than the window of the last
// marked one.
TEST_F(SmarttTest, AWindowOfAnswersWithoutDelayBeginsTheFastIncrease)
{
    Start();
    for (int i = 0; i < 50; ++i)
    {
        Answer(12, true);
    }
    const double marked = GetWindow() / (1 - FAIR); // Before the last mark.
    const int packets = static_cast<int>(marked / PACKET);
    for (int i = 0; i < packets; ++i)
    {
        Answer(10.5, false);
    }
    const double before = GetWindow();
    ASSERT_LT(before, LARGEST - 4 * PACKET);
    Answer(10.5, false);
    EXPECT_DOUBLE_EQ(GetWindow(), before + 4 * PACKET);
}

// The first answer begins an interval of 17 us, in which 40 packets arrive and one is trimmed. The
// next answer after it: 41 packets in 17.08 us; the check is 0.08 us late, so 17 / 17.08 of it.
TEST_F(SmarttTest, AfterATrimmedPacketTheWindowIsWhatHasArrived)
{
    Start();
    Answer(12, true);
    const Time begin = m_now;
    m_smartt->OnTrim({m_now, 1000, 30'000, false});
    const double trimmed = LARGEST * (1 - FAIR) - PACKET;
    EXPECT_DOUBLE_EQ(GetWindow(), trimmed);
    for (int i = 0; i < 40; ++i)
    {
        Answer(17, false);
    }
    EXPECT_GT(GetWindow(), trimmed);
    m_now = begin + MicroSeconds(17);
    Answer(17, false, 3000);
    EXPECT_NEAR(GetWindow(), 41 * PACKET * 17 / 17.08, 1e-6);

    // Three packets are in flight: their answers change nothing.
    const double adapted = GetWindow();
    for (int i = 0; i < 3; ++i)
    {
        Answer(40, true);
        EXPECT_EQ(GetWindow(), adapted);
    }
    Answer(40, true);
    EXPECT_LT(GetWindow(), adapted);
}

TEST_F(SmarttTest, WithoutALossQuickAdaptDoesNothing)
{
    Start();
    Answer(12, true);
    m_now += MicroSeconds(100);
    Answer(17, false);
    EXPECT_GT(GetWindow(), LARGEST * (1 - FAIR));
}

// The averaged share is 0.05, 0.0975, 0.142625 ... : the seventh, 0.3017, is above 0.3.
TEST_F(SmarttTest, DecreasesWaitForTheAveragedShareOfMarks)
{
    m_smartt->SetAttribute("WaitToDecrease", DoubleValue(0.3));
    Start();
    for (int i = 0; i < 6; ++i)
    {
        Answer(34, true);
        EXPECT_EQ(GetWindow(), LARGEST);
    }
    Answer(34, true);
    EXPECT_LT(GetWindow(), LARGEST);
}

TEST_F(SmarttTest, TheWindowIsNeverBelowAPacket)
{
    Start();
    m_smartt->OnTimeout({MicroSeconds(5), 1'000'000, 1'000'000, 1});
    EXPECT_EQ(GetWindow(), PACKET);
}

TEST_F(SmarttTest, ReportsCountWhatTheReceiverCounts)
{
    Start();
    AckEvent ack{MicroSeconds(20), MicroSeconds(12), 1000, 0, true};
    ack.receivedBytes = 2000;
    m_smartt->OnAck(ack);
    EXPECT_DOUBLE_EQ(GetWindow(), LARGEST * (1 - 2 * FAIR));
}
