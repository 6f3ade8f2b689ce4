// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/opcode-name.h"

#include <gtest/gtest.h>

using namespace ns3::rdma;

TEST(OpcodeName, SaysServiceAndOperation)
{
    // IBTA Vol. 1, Table 38.
    EXPECT_EQ(GetOpcodeName(0x00), "RC SEND First");
    EXPECT_EQ(GetOpcodeName(0x05), "RC SEND Only with Immediate");
    EXPECT_EQ(GetOpcodeName(0x0a), "RC RDMA WRITE Only");
    EXPECT_EQ(GetOpcodeName(0x0c), "RC RDMA READ Request");
    EXPECT_EQ(GetOpcodeName(0x0e), "RC RDMA READ response Middle");
    EXPECT_EQ(GetOpcodeName(0x11), "RC Acknowledge");
    EXPECT_EQ(GetOpcodeName(0x12), "RC ATOMIC Acknowledge");
    EXPECT_EQ(GetOpcodeName(0x13), "RC CmpSwap");
    EXPECT_EQ(GetOpcodeName(0x14), "RC FetchAdd");
    EXPECT_EQ(GetOpcodeName(0x29), "UC RDMA WRITE Last with Immediate");
    EXPECT_EQ(GetOpcodeName(0x64), "UD SEND Only");
    EXPECT_EQ(GetOpcodeName(0x81), "CNP");
}

TEST(OpcodeName, KnowsWhatResearchAdded)
{
    EXPECT_EQ(GetOpcodeName(0x18), "RC RPC Params"); // StRoM, Table 1.
    EXPECT_EQ(GetOpcodeName(0x1c), "RC RPC WRITE Only");
    EXPECT_EQ(GetOpcodeName(0x1d), "RC READ Acknowledge");
}

TEST(OpcodeName, IsANumberWhereTheServiceHasNoSuchOperation)
{
    EXPECT_EQ(GetOpcodeName(0x15), "opcode 0x15");
    EXPECT_EQ(GetOpcodeName(0x2c), "opcode 0x2c"); // No READ on unreliable connections.
    EXPECT_EQ(GetOpcodeName(0x38), "opcode 0x38");
    EXPECT_EQ(GetOpcodeName(0x60), "opcode 0x60"); // A datagram is one packet.
    EXPECT_EQ(GetOpcodeName(0x44), "opcode 0x44"); // No reliable datagrams.
    EXPECT_EQ(GetOpcodeName(0xff), "opcode 0xff");
}
