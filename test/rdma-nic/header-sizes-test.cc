// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/header-sizes.h"

#include "ns3/object-factory.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

// Ethernet 14 + IPv4 20 + UDP 8 + BTH 12 + ICRC 4 = 58 (SRNIC section 4.4.1).

TEST(HeaderSizes, PlainRoceHasARethOnTheFirstPacketOnly)
{
    const HeaderSizes sizes;
    EXPECT_EQ(sizes.GetWriteFrame(true, 1024), 58 + 16 + 1024);
    EXPECT_EQ(sizes.GetWriteFrame(false, 1024), 58 + 1024);
}

TEST(HeaderSizes, AcknowledgmentsAndCnpsAreShort)
{
    EXPECT_EQ(HeaderSizes().GetAckFrame(), 62);            // AETH: 4.
    EXPECT_EQ(HeaderSizes().GetFrame(opcode::CNP, 0), 74); // 16 reserved bytes (Annex A17).
}

TEST(HeaderSizes, SrnicWritesHave78BytesOfHeadersOnEachPacket)
{
    const HeaderSizes srnic(*CreateObject<SrnicFormat>());
    EXPECT_EQ(srnic.GetWriteFrame(true, 1024), 78 + 1024);
    EXPECT_EQ(srnic.GetWriteFrame(false, 1024), 78 + 1024);
    EXPECT_EQ(srnic.GetAckFrame(), 70);
}

TEST(HeaderSizes, FramesOfHpccsSimulatorHave48BytesOfHeadersAndAnswersOf60)
{
    const HeaderSizes hpcc(*CreateObject<HpccFormat>());
    EXPECT_EQ(hpcc.GetWriteFrame(true, 1000), 1048);
    EXPECT_EQ(hpcc.GetWriteFrame(false, 1000), 1048);
    EXPECT_EQ(hpcc.GetFrame(opcode::SEND_MIDDLE, 1000), 1048);
    EXPECT_EQ(hpcc.GetAckFrame(), 60);
    EXPECT_EQ(hpcc.GetFrame(opcode::CNP, 0), 60);
    EXPECT_EQ(hpcc.GetFrame(opcode::READ_REQUEST, 0), 58 + 16); // As in RoCE v2.
    const auto shorter = CreateObjectWithAttributes<HpccFormat>("DataBytes",
                                                                UintegerValue(20),
                                                                "AnswerBytes",
                                                                UintegerValue(30));
    EXPECT_EQ(HeaderSizes(*shorter).GetWriteFrame(true, 8), 28);
    EXPECT_EQ(HeaderSizes(*shorter).GetAckFrame(), 30);
}

TEST(HeaderSizes, ThePayloadIsPaddedToFourBytes)
{
    const HeaderSizes sizes;
    EXPECT_EQ(sizes.GetWriteFrame(false, 1), 62);
    EXPECT_EQ(sizes.GetWriteFrame(false, 4), 62);
    EXPECT_EQ(sizes.GetWriteFrame(false, 5), 66);
    EXPECT_EQ(sizes.GetWriteFrame(false, 1021), 58 + 1024);
}
