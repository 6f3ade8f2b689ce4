// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/udp-source-port.h"

#include <gtest/gtest.h>

using namespace ns3::rdma;

TEST(UdpSourcePort, FoldsTheProductOfBothQueuePairs)
{
    // 3 x 5 = 15: fits into 14 bits.
    EXPECT_EQ(ComputeUdpSourcePort(3, 5), 0xc00f);
    // 0x100 x 0x100 = 0x10000; the low 14 bits are 0, the six above them 4.
    EXPECT_EQ(ComputeUdpSourcePort(0x100, 0x100), 0xc004);
    // 0x1000 x 0x1000 = 2^24; v ^= v >> 20 gives 2^24 + 2^4; its low 20 bits are 0x10.
    EXPECT_EQ(ComputeUdpSourcePort(0x1000, 0x1000), 0xc010);
    // 2^23 x 2^23 = 2^46; v ^= v >> 20: + 2^26; v ^= v >> 40: + 2^6; low 20 bits 0x40.
    EXPECT_EQ(ComputeUdpSourcePort(0x800000, 0x800000), 0xc040);
}

TEST(UdpSourcePort, IsTheSameInBothDirections)
{
    EXPECT_EQ(ComputeUdpSourcePort(0x123456, 0xabcdef), ComputeUdpSourcePort(0xabcdef, 0x123456));
}

TEST(UdpSourcePort, DiffersForMostFlows)
{
    EXPECT_NE(ComputeUdpSourcePort(0x11, 0x22), ComputeUdpSourcePort(0x11, 0x23));
}

TEST(UdpSourcePort, ShowsASmallEntropyAsItIs)
{
    EXPECT_EQ(FoldEntropy(0), 0xc000);
    EXPECT_EQ(FoldEntropy(0x3fff), 0xffff);
    // 0x10005000: 0x1000 in the low 14 bits, 1 in the next, 1 in the four on top.
    EXPECT_EQ(FoldEntropy(0x10005000), 0xc000 | (0x1000 ^ 0x0001 ^ 0x0001));
    EXPECT_NE(FoldEntropy(1U << 14), FoldEntropy(2U << 14));
}

TEST(UdpSourcePort, IsDynamicWithoutQueuePairs)
{
    EXPECT_EQ(ComputeUdpSourcePort(0, 0), 0xc000);
}
