// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/sleek.h"

#include "ns3/boolean.h"
#include "ns3/double.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
/// A window of 100 packets from PSN 1000 on, of which the receiver holds some.
class SleekTest : public testing::Test
{
  protected:
    void Hold(uint32_t first, uint32_t end)
    {
        for (uint32_t psn = first; psn < end; ++psn)
        {
            m_marks.Hold(1000, psn);
        }
    }

    /// @param held packets out of order in a report; congestion control allows 10 packets
    LostPackets Report(uint32_t held)
    {
        AckReport report{Psn(1000), {}, Psn(1050), Time(), false};
        report.received.held = held;
        report.windowBytes = 40'960;
        report.packetBytes = 4096;
        return m_sleek->OnReport(report, m_board, Time());
    }

    PacketMarks m_marks;
    Scoreboard m_board{1000, 1100, &m_marks};
    Ptr<Sleek> m_sleek{CreateObject<Sleek>()};
};
} // namespace

TEST_F(SleekTest, AGapIsNotALoss)
{
    Hold(1001, 1015);
    EXPECT_TRUE(Report(14).empty());
}

TEST_F(SleekTest, GapsAreLostWhenMoreThanOneAndAHalfWindowsAreOutOfOrder)
{
    Hold(1001, 1005);
    Hold(1006, 1017);
    // 15 = 1.5 x 10 packets. The window reaches 10 packets beyond the oldest one.
    const LostPackets lost = Report(15);
    ASSERT_EQ(lost.size(), 2U);
    EXPECT_EQ(lost[0], (PsnRange{Psn(1000), Psn(1001)}));
    EXPECT_EQ(lost[1], (PsnRange{Psn(1005), Psn(1006)}));
    EXPECT_TRUE(Report(16).empty()); // Each gap once.
}

TEST_F(SleekTest, ATrimmedPacketIsLost)
{
    AckReport report{Psn(1000), {}, Psn(1042), Time(), true};
    report.isTrimmed = true;
    const LostPackets lost = m_sleek->OnReport(report, m_board, Time());
    ASSERT_EQ(lost.size(), 1U);
    EXPECT_EQ(lost[0], (PsnRange{Psn(1042), Psn(1043)}));
}

TEST_F(SleekTest, ATimeoutIsThatOfOnePacket)
{
    m_board.SetLongestOut(1077);
    const LostPackets lost = m_sleek->OnTrigger(LossTrigger::TIMEOUT, m_board, Time());
    ASSERT_EQ(lost.size(), 1U);
    EXPECT_EQ(lost[0], (PsnRange{Psn(1077), Psn(1078)}));
}

TEST_F(SleekTest, WithoutReportsOnlyTheTimerFindsLosses)
{
    Hold(1001, 1090);
    const AckReport report{Psn(1000), {Psn(1089), 1}, Psn(1089), Time(), true};
    EXPECT_TRUE(m_sleek->OnReport(report, m_board, Time()).empty());
}

namespace
{
/// The base RTT is 10 us, so that without measured RTTs the times are in units of 10 us.
class SleekProbes : public SleekTest
{
  protected:
    void SetUp() override
    {
        m_sleek->SetAttribute("Probes", BooleanValue(true));
    }

    AckReport MakeReport() const
    {
        AckReport report{Psn(1000), {}, Psn(1050), Time(), false};
        report.windowBytes = 40'960;
        report.packetBytes = 4096;
        report.baseRtt = MicroSeconds(10);
        return report;
    }

    /// @param rtt of a probe
    LostPackets AnswerProbe(Time rtt)
    {
        AckReport report = MakeReport();
        report.isProbe = true;
        report.hasRtt = true;
        report.rtt = rtt;
        return m_sleek->OnReport(report, m_board, MicroSeconds(100));
    }
};
} // namespace

TEST_F(SleekProbes, FollowAReportAfterThreeRoundsAndEachOtherAfterFive)
{
    EXPECT_EQ(m_sleek->GetNextLook().probe, Time::Max());
    m_sleek->OnReport(MakeReport(), m_board, MicroSeconds(100));
    EXPECT_EQ(m_sleek->GetNextLook().probe, MicroSeconds(100 + 3 * 10));
    m_sleek->OnTrigger(LossTrigger::PROBE, m_board, MicroSeconds(130));
    EXPECT_EQ(m_sleek->GetNextLook().probe, MicroSeconds(130 + 5 * 10));
}

TEST_F(SleekProbes, FollowAReportAfterTwoRoundsIfAllHasBeenSent)
{
    AckReport report = MakeReport();
    report.isAllSent = true;
    m_sleek->OnReport(report, m_board, MicroSeconds(100));
    EXPECT_EQ(m_sleek->GetNextLook().probe, MicroSeconds(100 + 2 * 10));
}

TEST_F(SleekProbes, CountInTheLeastMeasuredRound)
{
    AckReport report = MakeReport();
    report.hasRtt = true;
    report.rtt = MicroSeconds(6);
    m_sleek->OnReport(report, m_board, MicroSeconds(100));
    EXPECT_EQ(m_sleek->GetNextLook().probe, MicroSeconds(100 + 3 * 6));
}

TEST_F(SleekProbes, AreNotSentWhenNothingIsInFlight)
{
    m_sleek->OnReport(MakeReport(), m_board, MicroSeconds(100));
    m_sleek->OnReport(MakeReport(), Scoreboard(1100, 1100, nullptr), MicroSeconds(110));
    EXPECT_EQ(m_sleek->GetNextLook().probe, Time::Max());
}

TEST_F(SleekProbes, ShowLossesWhenTheNetworkHasNoDelay)
{
    Hold(1003, 1100);
    // The delay must be below one round: 10 us beyond the least RTT of 10 us.
    EXPECT_TRUE(AnswerProbe(MicroSeconds(20)).empty());
    const LostPackets lost = AnswerProbe(MicroSeconds(19));
    ASSERT_EQ(lost.size(), 1U);
    EXPECT_EQ(lost[0], (PsnRange{Psn(1000), Psn(1003)}));
    EXPECT_EQ(AnswerProbe(MicroSeconds(19)).size(), 1U); // A probe counts each gap once more.
}

TEST_F(SleekProbes, AreOffByDefault)
{
    m_sleek->SetAttribute("Probes", BooleanValue(false));
    m_sleek->OnReport(MakeReport(), m_board, MicroSeconds(100));
    EXPECT_EQ(m_sleek->GetNextLook().probe, Time::Max());
    Hold(1003, 1100);
    EXPECT_TRUE(AnswerProbe(MicroSeconds(11)).empty());
}

TEST_F(SleekProbes, WaitForAReportInsteadOfTheTimerWhileGapsAreCounted)
{
    m_board.SetLongestOut(1001);
    EXPECT_EQ(m_sleek->OnTrigger(LossTrigger::TIMEOUT, m_board, Time()).size(), 1U);
    EXPECT_FALSE(m_sleek->GetNextLook().resendsBeyondWindow);
    Hold(1003, 1100);
    EXPECT_EQ(AnswerProbe(MicroSeconds(11)).size(), 1U); // 1000 to 1002: recovery begins.
    EXPECT_TRUE(m_sleek->OnTrigger(LossTrigger::TIMEOUT, m_board, Time()).empty());
    EXPECT_TRUE(m_sleek->GetNextLook().resendsBeyondWindow);
    // The packet of the timer, and those after it, are counted again.
    const LostPackets lost = m_sleek->OnReport(MakeReport(), m_board, MicroSeconds(200));
    ASSERT_EQ(lost.size(), 1U);
    EXPECT_EQ(lost[0], (PsnRange{Psn(1001), Psn(1003)}));
}
