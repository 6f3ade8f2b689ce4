// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/sleek.h"

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
        report.held = held;
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
    const LostPackets lost = m_sleek->OnTimeout(m_board, Time());
    ASSERT_EQ(lost.size(), 1U);
    EXPECT_EQ(lost[0], (PsnRange{Psn(1077), Psn(1078)}));
}

TEST_F(SleekTest, WithoutReportsOnlyTheTimerFindsLosses)
{
    Hold(1001, 1090);
    const AckReport report{Psn(1000), {Psn(1089), 1}, Psn(1089), Time(), true};
    EXPECT_TRUE(m_sleek->OnReport(report, m_board, Time()).empty());
}
