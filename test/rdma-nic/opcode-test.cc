// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/opcode.h"

#include <gtest/gtest.h>

using namespace ns3::rdma;

TEST(Opcode, AWritePacketIsNamedByItsPlace)
{
    // IBTA Vol. 1, Table 38.
    EXPECT_EQ(opcode::GetByPlace(opcode::WRITE_FIRST, true, false), 0x06);
    EXPECT_EQ(opcode::GetByPlace(opcode::WRITE_FIRST, false, false), 0x07);
    EXPECT_EQ(opcode::GetByPlace(opcode::WRITE_FIRST, false, true), 0x08);
    EXPECT_EQ(opcode::GetByPlace(opcode::WRITE_FIRST, true, true), 0x0a);
}

TEST(Opcode, LastAndOnlyEndAMessage)
{
    EXPECT_TRUE(opcode::IsLast(opcode::WRITE_LAST));
    EXPECT_TRUE(opcode::IsLast(opcode::WRITE_ONLY));
    EXPECT_FALSE(opcode::IsLast(opcode::WRITE_FIRST));
    EXPECT_FALSE(opcode::IsLast(opcode::WRITE_MIDDLE));
}

TEST(Opcode, AnswersAndCnpsAreNoRequests)
{
    EXPECT_TRUE(opcode::IsRequest(opcode::WRITE_MIDDLE));
    EXPECT_FALSE(opcode::IsRequest(opcode::ACK));
    EXPECT_FALSE(opcode::IsRequest(opcode::CNP));
}
