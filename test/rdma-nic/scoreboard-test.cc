// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/scoreboard.h"

#include <gtest/gtest.h>

using namespace ns3::rdma;

namespace
{
constexpr uint64_t TURN{1 << 24}; ///< PSNs begin again.
} // namespace

TEST(Scoreboard, WithoutMarksEachPacketIsMissing)
{
    const Scoreboard board(10, 15);
    EXPECT_EQ(board.GetCount(), 5);
    EXPECT_TRUE(board.Contains(Psn(10)) && board.Contains(Psn(14)));
    EXPECT_FALSE(board.Contains(Psn(9)) || board.Contains(Psn(15)));
    EXPECT_FALSE(board.HasHeld() || board.IsHeld(Psn(10)) || board.IsLost(Psn(10)) ||
                 board.WasResent(Psn(10)));
    EXPECT_EQ(board.GetMissing(), (LostPackets{{Psn(10), Psn(15)}}));
}

TEST(Scoreboard, HeldPacketsAreNotMissingAcrossTheWrap)
{
    PacketMarks marks;
    marks.Hold(TURN - 2, TURN - 1);
    marks.Hold(TURN - 2, TURN + 1);
    const Scoreboard board(TURN - 2, TURN + 3, &marks);
    EXPECT_TRUE(board.IsHeld(Psn(0xffffff)) && board.IsHeld(Psn(1)));
    EXPECT_EQ(board.GetMissing(),
              (LostPackets{{Psn(0xfffffe), Psn(0xffffff)}, {Psn(0), Psn(1)}, {Psn(2), Psn(3)}}));
}

TEST(Scoreboard, MissingPacketsExtendTheRangeThatEndsWhereTheyBegin)
{
    PacketMarks marks;
    marks.Hold(10, 12);
    const Scoreboard board(10, 15, &marks);
    LostPackets packets{{Psn(8), Psn(10)}};
    board.AppendMissing(Psn(10), Psn(14), packets);
    EXPECT_EQ(packets, (LostPackets{{Psn(8), Psn(12)}, {Psn(13), Psn(14)}}));
}

TEST(Scoreboard, TheOldestPacketIsMissingEvenIfItWasHeld)
{
    PacketMarks marks;
    marks.Hold(10, 10);
    EXPECT_EQ(Scoreboard(10, 12, &marks).GetMissing(), (LostPackets{{Psn(10), Psn(12)}}));
}

TEST(PacketMarks, LastAsLongAsTheWindowHasThePacket)
{
    PacketMarks marks;
    marks.GetLost().Add(10, 13);
    EXPECT_TRUE(marks.Hold(10, 14));
    EXPECT_FALSE(marks.Hold(10, 14));
    marks.Resend(10, 11);
    const Scoreboard before(10, 15, &marks);
    EXPECT_TRUE(before.IsLost(Psn(12)) && before.WasResent(Psn(11)) && before.IsHeld(Psn(14)));
    EXPECT_FALSE(before.IsLost(Psn(13)) || before.WasResent(Psn(10)));
    marks.Advance(10, 12);
    const Scoreboard after(12, 15, &marks);
    EXPECT_TRUE(after.IsLost(Psn(12)) && after.IsHeld(Psn(14)));
    EXPECT_FALSE(after.WasResent(Psn(11)));
    EXPECT_EQ(marks.GetLost().GetFirst(), 12);
    EXPECT_TRUE(marks.Release(14));
    EXPECT_FALSE(marks.HasHeld());
}
