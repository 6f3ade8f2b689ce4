// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/dcp-format.h"

#include "ns3/header-sizes.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

TEST(DcpFormatTest, HasTheSizesOfItsHeaders)
{
    const HeaderSizes sizes(*CreateObject<DcpFormat>());
    // RoCE v2 has 58 bytes: Ethernet 14, IPv4 20, UDP 8, BTH 12, ICRC 4.
    EXPECT_EQ(sizes.GetWriteFrame(true, 0), 58 + 3 + 16);  // Message number, RETH.
    EXPECT_EQ(sizes.GetWriteFrame(false, 0), 58 + 3 + 16); // In each packet.
    EXPECT_EQ(sizes.GetFrame(opcode::SEND_FIRST, 0), 58 + 3 + 3);
    EXPECT_EQ(sizes.GetFrame(opcode::WRITE_ONLY_IMM, 0), 58 + 3 + 16 + 3 + 4);
    EXPECT_EQ(sizes.GetFrame(opcode::READ_RESPONSE_FIRST, 0), 58 + 3);
    EXPECT_EQ(sizes.GetAckFrame(), 58 + 4);                // AETH.
    EXPECT_EQ(sizes.GetNackFrame(), 14 + 20 + 8 + 12 + 3); // The returned header.
}

TEST(DcpFormatTest, LeavesOtherServicesAndRequestsOfResponsesAsTheyAre)
{
    const DcpFormat format;
    EXPECT_EQ(format.GetFixedBytes(opcode::READ_REQUEST), 0U);
    EXPECT_EQ(format.GetFixedBytes(opcode::FETCH_ADD), 0U);
    constexpr uint8_t UC_SEND_ONLY{0x24};
    EXPECT_EQ(format.GetFixedBytes(UC_SEND_ONLY), 0U);
}
