// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/bitmap-onloading.h"
#include "ns3/opcode.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr uint32_t QP{7};

/// @return an ACK up to a PSN. @param cause PSN of the packet that it answers
Acknowledgment
MakeAck(Psn psn, Psn cause)
{
    Acknowledgment ack{};
    ack.operation = opcode::ACK;
    ack.syndrome = syndrome::ACK;
    ack.psn = psn;
    ack.selective = cause;
    return ack;
}
} // namespace

TEST(OnloadedBitmaps, PacketsInOrderAndDuplicatesNeedNoState)
{
    OnloadedBitmaps bitmaps;
    EXPECT_FALSE(bitmaps.OnRequest(QP, Psn(10), Psn(10), Psn(11)));
    EXPECT_FALSE(bitmaps.OnRequest(QP, Psn(3), Psn(11), Psn(11)));
    EXPECT_EQ(bitmaps.Find(QP), nullptr);
    Acknowledgment ack = MakeAck(Psn(10), Psn(10));
    bitmaps.Limit(QP, ack);
    EXPECT_EQ(ack.psn, Psn(10));
}

TEST(OnloadedBitmaps, AcknowledgmentsStayAtWhatTheNicExpectsUntilSoftwareHasWritten)
{
    OnloadedBitmaps bitmaps;
    // 10 is missing: 11 goes to software, and so does 10, which fills the gap.
    EXPECT_TRUE(bitmaps.OnRequest(QP, Psn(11), Psn(10), Psn(10)));
    Acknowledgment nak = MakeAck(Psn(9), Psn(11));
    nak.syndrome = syndrome::NAK_PSN_SEQUENCE;
    nak.psn = Psn(10);
    bitmaps.Limit(QP, nak);
    EXPECT_EQ(nak.psn, Psn(10));
    EXPECT_TRUE(nak.isSelective);
    EXPECT_TRUE(bitmaps.OnRequest(QP, Psn(10), Psn(10), Psn(12)));
    Acknowledgment ack = MakeAck(Psn(11), Psn(10));
    bitmaps.Limit(QP, ack);
    EXPECT_EQ(ack.syndrome, syndrome::NAK_PSN_SEQUENCE);
    EXPECT_EQ(ack.psn, Psn(10)); // The NIC itself has not advanced.
    EXPECT_EQ(ack.selective, Psn(10));
}

TEST(OnloadedBitmaps, AStateAfterAResetHasAnotherGeneration)
{
    OnloadedBitmaps bitmaps;
    bitmaps.OnRequest(QP, Psn(11), Psn(10), Psn(10));
    const uint32_t first = bitmaps.Find(QP)->generation;
    bitmaps.Forget(QP);
    EXPECT_EQ(bitmaps.Find(QP), nullptr);
    bitmaps.OnRequest(QP, Psn(21), Psn(20), Psn(20));
    EXPECT_NE(bitmaps.Find(QP)->generation, first);
}
