// SPDX-License-Identifier: GPL-2.0-only
#include "template-name.cc"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
/// Ten packets from 100 on, of which the receiver holds the last ones out of order.
LostPackets
ReportHeld(uint64_t held, bool isResent = false)
{
    PacketMarks marks;
    for (uint64_t number = 110 - held; number < 110; ++number)
    {
        marks.Hold(100, number);
    }
    if (isResent)
    {
        marks.Resend(100, 100);
    }
    auto detector = CreateObject<TemplateName>();
    return detector->OnReport(AckReport(), Scoreboard(100, 110, &marks), MicroSeconds(1));
}
} // namespace

TEST(TemplateName, ThreeLaterPacketsShowTheLossOfAllBefore)
{
    EXPECT_TRUE(ReportHeld(2).empty());
    ASSERT_EQ(ReportHeld(3).size(), 7U); // 100 to 106.
    EXPECT_EQ(ReportHeld(3).front().first, Psn(100));
    EXPECT_EQ(ReportHeld(3).back().end, Psn(107));
}

TEST(TemplateName, APacketThatWasSentAgainWaitsForTheTimer)
{
    EXPECT_EQ(ReportHeld(3, true).front().first, Psn(101));
}
