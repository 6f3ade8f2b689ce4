// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/icrc.h"

#include "public-captures.h"

#include <gtest/gtest.h>
#include <set>

using namespace ns3::rdma;

namespace
{
constexpr std::size_t ETHERNET{14};
constexpr std::size_t ICRC{4};

uint32_t
ComputeOf(const std::vector<uint8_t>& frame)
{
    return ComputeIcrc(&frame[ETHERNET], frame.size() - ETHERNET - ICRC);
}

/// @return the last four bytes, least significant first.
uint32_t
GetStored(const std::vector<uint8_t>& frame)
{
    const uint8_t* const last = &frame[frame.size() - ICRC];
    return last[0] | last[1] << 8 | last[2] << 16 | uint32_t{last[3]} << 24;
}

/// @return whether setting all bits of a byte changes the ICRC. @param offset from the IP header
bool
IsCovered(std::vector<uint8_t> frame, std::size_t offset)
{
    const uint32_t before = ComputeOf(frame);
    frame[ETHERNET + offset] ^= 0xff;
    return ComputeOf(frame) != before;
}

/// A CNP over IPv6; without ICRC: tests of the masking need none.
std::vector<uint8_t>
MakeIpv6Frame()
{
    std::vector<uint8_t> frame(ETHERNET + 40 + 8 + 12 + 16 + ICRC, 0);
    frame[ETHERNET] = 0x60;
    frame[ETHERNET + 40 + 8] = 0x81;
    return frame;
}
} // namespace

TEST(Icrc, IsThatOfScapysUcPacket)
{
    EXPECT_EQ(GetStored(SCAPY_UC_SEND_ONLY), 0xf353f378);
    EXPECT_EQ(ComputeOf(SCAPY_UC_SEND_ONLY), 0xf353f378);
}

TEST(Icrc, IsThatOfACnpOfAConnectX4)
{
    EXPECT_EQ(GetStored(CONNECTX4_CNP), 0x2a00fd82);
    EXPECT_EQ(ComputeOf(CONNECTX4_CNP), 0x2a00fd82);
}

TEST(Icrc, LeavesOutWhatMayChangeInIpv4)
{
    // Type of service 1, TTL 8, header checksum 10 and 11, UDP checksum 26 and 27, BTH byte 4: 32.
    const std::set<std::size_t> masked{1, 8, 10, 11, 26, 27, 32};
    for (std::size_t offset = 1; offset < CONNECTX4_CNP.size() - ETHERNET - ICRC; ++offset)
    {
        EXPECT_EQ(IsCovered(CONNECTX4_CNP, offset), masked.count(offset) == 0) << offset;
    }
}

TEST(Icrc, LeavesOutWhatMayChangeInIpv6)
{
    // Traffic class and flow label up to 3, hop limit 7, UDP checksum 46 and 47, BTH byte 4: 52.
    const std::set<std::size_t> masked{1, 2, 3, 7, 46, 47, 52};
    const auto frame = MakeIpv6Frame();
    for (std::size_t offset = 1; offset < frame.size() - ETHERNET - ICRC; ++offset)
    {
        EXPECT_EQ(IsCovered(frame, offset), masked.count(offset) == 0) << offset;
    }
    auto other = frame;
    other[ETHERNET] = 0x6f; // The first half of the traffic class.
    EXPECT_EQ(ComputeOf(other), ComputeOf(frame));
}

TEST(Icrc, CoversPacketsAsShortAsABth)
{
    // IPv4 20, UDP 8, BTH 12: a zero-length SEND has nothing else.
    std::vector<uint8_t> frame(ETHERNET + 40 + ICRC, 0);
    frame[ETHERNET] = 0x45;
    EXPECT_TRUE(IsCovered(frame, 39));
    EXPECT_FALSE(IsCovered(frame, 32));
}
