// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/opcode-table.h"

#include <gtest/gtest.h>

using namespace ns3::rdma;

TEST(OpcodeTable, SaysServiceAndOperation)
{
    // IBTA Vol. 1, Table 38.
    EXPECT_EQ(OpcodeTable::GetName(0x00), "RC SEND First");
    EXPECT_EQ(OpcodeTable::GetName(0x05), "RC SEND Only with Immediate");
    EXPECT_EQ(OpcodeTable::GetName(0x0a), "RC RDMA WRITE Only");
    EXPECT_EQ(OpcodeTable::GetName(0x0c), "RC RDMA READ Request");
    EXPECT_EQ(OpcodeTable::GetName(0x0e), "RC RDMA READ response Middle");
    EXPECT_EQ(OpcodeTable::GetName(0x11), "RC Acknowledge");
    EXPECT_EQ(OpcodeTable::GetName(0x12), "RC ATOMIC Acknowledge");
    EXPECT_EQ(OpcodeTable::GetName(0x13), "RC CmpSwap");
    EXPECT_EQ(OpcodeTable::GetName(0x14), "RC FetchAdd");
    EXPECT_EQ(OpcodeTable::GetName(0x29), "UC RDMA WRITE Last with Immediate");
    EXPECT_EQ(OpcodeTable::GetName(0x64), "UD SEND Only");
    EXPECT_EQ(OpcodeTable::GetName(0x81), "CNP");
}

TEST(OpcodeTable, HasTheOpcodesOfResearchDesigns)
{
    EXPECT_EQ(OpcodeTable::GetName(0x18), "RC RPC Params"); // StRoM, Table 1.
    EXPECT_EQ(OpcodeTable::GetName(0x1c), "RC RPC WRITE Only");
    EXPECT_EQ(OpcodeTable::GetName(0x1d), "RC READ Acknowledge");
}

TEST(OpcodeTable, IsANumberWhereTheServiceHasNoSuchOperation)
{
    EXPECT_EQ(OpcodeTable::GetName(0x17), "opcode 0x17");
    EXPECT_EQ(OpcodeTable::GetName(0x2c), "opcode 0x2c"); // No READ on unreliable connections.
    EXPECT_EQ(OpcodeTable::GetName(0x38), "opcode 0x38");
    EXPECT_EQ(OpcodeTable::GetName(0x60), "opcode 0x60"); // A datagram is one packet.
    EXPECT_EQ(OpcodeTable::GetName(0x44), "opcode 0x44"); // No reliable datagrams.
    EXPECT_EQ(OpcodeTable::GetName(0xff), "opcode 0xff");
}
