// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/fabric-address.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

TEST(FabricAddress, FollowsTheNodeId)
{
    // 300 = 0x012c; IP addresses count from 1.
    EXPECT_EQ(MakeMacAddress(300), Mac48Address("02:00:00:00:01:2c"));
    EXPECT_EQ(MakeIpv4Address(300), Ipv4Address("10.0.1.45"));
    EXPECT_EQ(MakeIpv6Address(300), Ipv6Address("fd00::12d"));
    EXPECT_EQ(MakeIpv4Address(0), Ipv4Address("10.0.0.1"));
    EXPECT_EQ(MakeMacAddress(0x89abcdef), Mac48Address("02:00:89:ab:cd:ef"));
    EXPECT_EQ(MakeIpv6Address(0x89abcdee), Ipv6Address("fd00::89ab:cdef"));
}

TEST(FabricAddress, LeadsBackToTheNode)
{
    for (const uint32_t node : {0U, 1U, 254U, 255U, 4095U, 65535U, 0xfffffdU})
    {
        EXPECT_EQ(FindEndpoint(MakeMacAddress(node)), node);
        EXPECT_EQ(FindEndpoint(MakeIpv4Address(node)), node);
        EXPECT_EQ(FindEndpoint(MakeIpv6Address(node)), node);
    }
}

TEST(FabricAddress, OfOthersIsNoNodes)
{
    for (const char* text :
         {"10.0.0.0", "10.255.255.255", "11.0.0.0", "9.255.255.255", "224.0.0.1"})
    {
        EXPECT_FALSE(FindEndpoint(Ipv4Address(text))) << text;
    }
    for (const char* text : {"fd00::", "fd00::1:0:1", "fe80::1", "ff02::1", "::1"})
    {
        EXPECT_FALSE(FindEndpoint(Ipv6Address(text))) << text;
    }
    for (const char* text : {"00:00:00:00:00:01", "02:01:00:00:00:01", "ff:ff:ff:ff:ff:ff"})
    {
        EXPECT_FALSE(FindEndpoint(Mac48Address(text))) << text;
    }
}
