// SPDX-License-Identifier: GPL-2.0-only
#include "public-captures.h"

#include "ns3/frame-tag.h"
#include "ns3/opcode.h"
#include "ns3/payload-cargo.h"
#include "ns3/roce-codec.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
/// Plain RoCE v2 over IPv4.
class PlainRoceCodec : public testing::Test
{
  protected:
    Ptr<IbtaFormat> m_format{CreateObject<IbtaFormat>()};
    RoceCodec m_codec{*m_format, IpVersion::V4};
};
} // namespace

TEST_F(PlainRoceCodec, ReadsACnpOfAConnectX4)
{
    const auto decoded = m_codec.DecodeBytes(CONNECTX4_CNP);
    ASSERT_TRUE(decoded);
    EXPECT_EQ(decoded->frame.opcode, opcode::CNP);
    EXPECT_EQ(decoded->frame.dstQp, 0x118);
    EXPECT_EQ(decoded->frame.src, 0x1100); // 10.0.17.1.
    EXPECT_EQ(decoded->frame.dst, 0x1200); // 10.0.18.1.
    EXPECT_EQ(decoded->frame.priority, 6); // DSCP 48: class selector 6.
    EXPECT_EQ(decoded->frame.flags, frame_flag::ECN_CAPABLE);
    EXPECT_EQ(decoded->frame.wireBytes, 74);
    EXPECT_EQ(decoded->frame.payloadBytes, 0);
    EXPECT_FALSE(decoded->detail);
}

TEST_F(PlainRoceCodec, SendsTheCnpOfAConnectX4)
{
    Frame frame{};
    frame.src = 0x1100;
    frame.dst = 0x1200;
    frame.opcode = opcode::CNP;
    frame.dstQp = 0x118;
    frame.priority = 6;
    frame.flags = frame_flag::ECN_CAPABLE;
    const auto bytes = m_codec.EncodeBytes(frame, nullptr);
    ASSERT_EQ(bytes.size(), CONNECTX4_CNP.size());
    // Same from the BTH on, up to the ICRC, which covers IPv4's identification.
    EXPECT_TRUE(std::equal(bytes.begin() + 42, bytes.end() - 4, CONNECTX4_CNP.begin() + 42));
    EXPECT_EQ(bytes[15], 0xc2); // Type of service.
}

TEST_F(PlainRoceCodec, ShowsAnEntropyThatVariesAsTheUdpSourcePort)
{
    Frame frame{};
    frame.opcode = opcode::WRITE_MIDDLE;
    frame.srcQp = 3;
    frame.dstQp = 5;
    frame.entropy = 0x123;
    const auto getPort = [&] {
        const auto bytes = m_codec.EncodeBytes(frame, nullptr);
        return bytes[34] << 8 | bytes[35];
    };
    EXPECT_EQ(getPort(), 0xc00f); // Constant: that of the queue pairs, as Linux has it.
    frame.flags = frame_flag::VARIED_ENTROPY;
    EXPECT_EQ(getPort(), 0xc123);
}

TEST_F(PlainRoceCodec, ATrimmedFrameIsAPacketOfHeadersWithAMark)
{
    Frame frame{};
    frame.opcode = opcode::WRITE_ONLY;
    frame.messageBytes = 1000;
    frame.priority = 5;
    frame.flags = frame_flag::TRIMMED | frame_flag::ECN_CAPABLE;
    const auto bytes = m_codec.EncodeBytes(frame, nullptr);
    EXPECT_EQ(bytes.size(), 58 + 16);
    EXPECT_EQ(bytes[15], (5 * 8 + 1) << 2 | 2); // DSCP 41, ECT(0).
    const auto decoded = m_codec.DecodeBytes(bytes);
    ASSERT_TRUE(decoded);
    EXPECT_EQ(decoded->frame.flags, frame.flags);
    EXPECT_EQ(decoded->frame.priority, 5);
    EXPECT_EQ(decoded->frame.payloadBytes, 0);
    EXPECT_EQ(decoded->frame.messageBytes, 1000);
}

TEST_F(PlainRoceCodec, IgnoresPacketsBetweenStrangers)
{
    EXPECT_FALSE(m_codec.DecodeBytes(SCAPY_UC_SEND_ONLY)); // 192.168.0.7.
}

TEST_F(PlainRoceCodec, WritesAddressesEcnAndPort)
{
    Frame frame{};
    frame.src = 0x01'02'03;
    frame.dst = 0x04'05'06;
    frame.srcQp = 3;
    frame.dstQp = 5;
    frame.priority = 3;
    frame.flags = frame_flag::ECN_CAPABLE | frame_flag::CE;
    frame.payloadBytes = 2;
    FrameDetail detail{};
    PayloadCargo cargo({0xaa, 0xbb});
    detail.cargo = &cargo;
    const auto bytes = m_codec.EncodeBytes(frame, &detail);
    using Bytes = std::vector<uint8_t>;
    const Bytes macs{0x02, 0x00, 0x00, 0x04, 0x05, 0x06, 0x02, 0x00, 0x00, 0x01, 0x02, 0x03};
    // DSCP 24, CE; 48 bytes; DF.
    const Bytes ip{0x08, 0x00, 0x45, 0x63, 0x00, 0x30, 0x00, 0x00, 0x40, 0x00, 0x40, 0x11};
    // Sum of the words: 4563 + 0030 + 4000 + 4011 + 0a01 + 0204 + 0a04 + 0507 = e0b4.
    const Bytes ipSum{0x1f, 0x4b};
    const Bytes addresses{0x0a, 0x01, 0x02, 0x04, 0x0a, 0x04, 0x05, 0x07}; // 10.1.2.4, 10.4.5.7.
    const Bytes udp{0xc0, 0x0f, 0x12, 0xb7, 0x00, 0x1c, 0x00, 0x00};       // 3 x 5 = 15; 28 bytes.
    const Bytes bth{0x00, 0x20, 0xff, 0xff, 0x00, 0x00, 0x00, 0x05, 0x00, 0x00, 0x00, 0x00};
    const Bytes payload{0xaa, 0xbb, 0x00, 0x00}; // Pad 2.
    Bytes expected;
    for (const Bytes& part : {macs, ip, ipSum, addresses, udp, bth, payload})
    {
        expected.insert(expected.end(), part.begin(), part.end());
    }
    ASSERT_EQ(bytes.size(), expected.size() + 4);
    EXPECT_EQ(std::vector<uint8_t>(bytes.begin(), bytes.end() - 4), expected);
}

TEST_F(PlainRoceCodec, SendsZerosWhereThereIsNoCargo)
{
    Frame frame{};
    frame.opcode = opcode::WRITE_MIDDLE;
    frame.payloadBytes = 5;
    const auto decoded = m_codec.Decode(m_codec.Encode(frame, nullptr));
    ASSERT_TRUE(decoded);
    EXPECT_EQ(decoded->payload, std::vector<uint8_t>(5, 0));
    EXPECT_FALSE(decoded->detail);
}

TEST_F(PlainRoceCodec, AcceptsWhatEthernetPadded)
{
    Frame frame{}; // A SEND First without payload: 58 bytes.
    auto bytes = m_codec.EncodeBytes(frame, nullptr);
    ASSERT_EQ(bytes.size(), 58);
    bytes.resize(60, 0);
    const auto decoded = m_codec.DecodeBytes(bytes);
    ASSERT_TRUE(decoded);
    EXPECT_EQ(decoded->frame.wireBytes, 58);
}

TEST_F(PlainRoceCodec, RefusesFramesThatAreNotRoce)
{
    Frame frame{};
    frame.opcode = OPAQUE_OPCODE;
    EXPECT_EQ(m_codec.Encode(frame, nullptr), nullptr);
    frame.opcode = 0;
    frame.flags = frame_flag::MAC_CONTROL;
    EXPECT_EQ(m_codec.Encode(frame, nullptr), nullptr);
}

TEST_F(PlainRoceCodec, RefusesTheOtherIpVersion)
{
    const RoceCodec other(*m_format, IpVersion::V6);
    EXPECT_FALSE(other.DecodeBytes(m_codec.EncodeBytes(Frame{}, nullptr)));
    EXPECT_FALSE(m_codec.DecodeBytes(other.EncodeBytes(Frame{}, nullptr)));
}

TEST_F(PlainRoceCodec, TheWireOverridesTheTag)
{
    Frame frame{};
    frame.opcode = opcode::ACK;
    frame.psn = 11;
    frame.sendTime = 99;
    const auto bytes = m_codec.EncodeBytes(frame, nullptr);
    frame.psn = 22;
    auto packet = Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size()));
    packet->AddPacketTag(FrameTag(frame, nullptr));
    const auto decoded = m_codec.Decode(packet);
    ASSERT_TRUE(decoded);
    EXPECT_EQ(decoded->frame.psn, 11);
    EXPECT_EQ(decoded->frame.sendTime, 99);
}
