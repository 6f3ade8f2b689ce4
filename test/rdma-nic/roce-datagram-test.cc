// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/roce-datagram.h"

#include "public-captures.h"

#include <gtest/gtest.h>

using namespace ns3::rdma;

namespace
{
std::optional<RoceDatagram::Parsed>
Parse(IpVersion version, const std::vector<uint8_t>& bytes)
{
    return RoceDatagram::Parse(version, bytes.data(), bytes.size());
}

/// @return a datagram with four bytes of payload.
std::vector<uint8_t>
MakeBytes(IpVersion version)
{
    auto bytes = RoceDatagram{version, 1, 2, 0x60, 0xc123}.Serialize(4);
    bytes.resize(bytes.size() + 4, 0);
    return bytes;
}
} // namespace

TEST(RoceDatagram, HasTheLayoutOfIpv6)
{
    const std::vector<uint8_t> expected{
        0x02, 0x00, 0x00, 0x00, 0x00, 0x02, 0x02, 0x00, 0x00, 0x00, 0x00, 0x01, 0x86, 0xdd, // MACs.
        0x66, 0x00, 0x00, 0x00, 0x00, 0x0c, 0x11, 0x40, // Class 60, flow 0; 12 bytes; UDP; 64 hops.
        0xfd, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
        0x02, // Node 1 is fd00::2.
        0xfd, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
        0x03,                                            // Node 2.
        0xc1, 0x23, 0x12, 0xb7, 0x00, 0x0c, 0x00, 0x00}; // Port 4791; UDP's 8 + 4; no checksum.
    EXPECT_EQ((RoceDatagram{IpVersion::V6, 1, 2, 0x60, 0xc123}.Serialize(4)), expected);
}

TEST(RoceDatagram, ComesBackFromItsBytes)
{
    for (const IpVersion version : {IpVersion::V4, IpVersion::V6})
    {
        const auto parsed = Parse(version, MakeBytes(version));
        ASSERT_TRUE(parsed);
        EXPECT_EQ(parsed->datagram.src, 1);
        EXPECT_EQ(parsed->datagram.dst, 2);
        EXPECT_EQ(parsed->datagram.trafficClass, 0x60);
        EXPECT_EQ(parsed->datagram.sourcePort, 0xc123);
        EXPECT_EQ(parsed->frameBytes, version == IpVersion::V4 ? 46 : 66);
    }
}

TEST(RoceDatagram, ChecksIpv4)
{
    const auto good = CONNECTX4_CNP;
    ASSERT_TRUE(Parse(IpVersion::V4, good));
    const auto parses = [&](std::size_t offset, uint8_t value) {
        auto bytes = good;
        bytes[14 + offset] = value;
        bytes[14 + 10] = bytes[14 + 11] = 0;
        // RFC 1071: the header's checksum is that of the others.
        uint32_t sum = 0;
        for (std::size_t i = 14; i < 34; i += 2)
        {
            sum += bytes[i] << 8 | bytes[i + 1];
        }
        sum = ~((sum & 0xffff) + (sum >> 16));
        bytes[24] = static_cast<uint8_t>(sum >> 8);
        bytes[25] = static_cast<uint8_t>(sum);
        return Parse(IpVersion::V4, bytes).has_value();
    };
    EXPECT_TRUE(parses(8, 0x3f));   // One hop further.
    EXPECT_FALSE(parses(0, 0x46));  // Options.
    EXPECT_FALSE(parses(0, 0x55));  // Version 5.
    EXPECT_FALSE(parses(3, 0x3b));  // A byte too short for UDP's length.
    EXPECT_FALSE(parses(6, 0x20));  // More fragments follow.
    EXPECT_FALSE(parses(7, 0x01));  // A later fragment.
    EXPECT_FALSE(parses(9, 0x06));  // TCP.
    EXPECT_FALSE(parses(12, 11));   // From 11.0.17.1.
    EXPECT_FALSE(parses(22, 0));    // To another port than 4791.
    EXPECT_FALSE(parses(25, 0x27)); // UDP's length is not IP's.
    auto wrong = good;
    wrong[14 + 11] ^= 1;
    EXPECT_FALSE(Parse(IpVersion::V4, wrong));
}

TEST(RoceDatagram, TakesIpv6AddressesOfNodesOnly)
{
    const auto good = MakeBytes(IpVersion::V6);
    for (const std::size_t offset : {14 + 8, 14 + 12, 14 + 27, 14 + 34})
    {
        auto bytes = good;
        bytes[offset] ^= 1;
        EXPECT_FALSE(Parse(IpVersion::V6, bytes)) << offset;
    }
    auto bytes = good;
    bytes[14 + 23] = 0; // fd00::0 has no node.
    EXPECT_FALSE(Parse(IpVersion::V6, bytes));
}

TEST(RoceDatagram, TheFirstAndLastNodesHaveAddresses)
{
    constexpr uint32_t LAST{RoceDatagram::MAX_IPV4_NODE - 1};
    auto bytes = RoceDatagram{IpVersion::V4, 0, LAST, 0, 0}.Serialize(0);
    EXPECT_EQ((std::vector<uint8_t>(bytes.begin() + 26, bytes.begin() + 34)),
              (std::vector<uint8_t>{10, 0, 0, 1, 10, 255, 255, 254}));
    EXPECT_EQ(Parse(IpVersion::V4, bytes)->datagram.dst, LAST);
}
