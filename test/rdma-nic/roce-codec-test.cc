// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/roce-codec.h"

#include "roce-test-frames.h"

#include "ns3/object-factory.h"
#include "ns3/strom-opcodes.h"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <tuple>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
/// Everything that a frame says, the unions as their bytes.
auto
GetFields(const Frame& frame)
{
    uint64_t target;
    std::memcpy(&target, &frame.remoteAddress, sizeof target);
    return std::tuple(frame.src,
                      frame.dst,
                      frame.entropy,
                      frame.wireBytes,
                      frame.priority,
                      frame.flags,
                      frame.sendTime,
                      target,
                      frame.srcQp,
                      frame.dstQp,
                      frame.psn,
                      frame.messageBytes,
                      frame.ssn,
                      frame.echoedEntropy,
                      frame.payloadBytes,
                      frame.opcode,
                      frame.syndrome);
}

auto
GetFields(const FrameDetail& detail)
{
    return std::tuple(detail.swapAdd,
                      detail.compare,
                      detail.remoteKey,
                      detail.immediate,
                      detail.queueKey,
                      detail.isSolicited);
}

/// Each wire format by name, each IP version.
class RoceCodecTest : public testing::TestWithParam<std::tuple<const char*, IpVersion>>
{
  protected:
    static Ptr<WireFormat> MakeFormat()
    {
        ObjectFactory factory(std::string("ns3::rdma::") + std::get<0>(GetParam()) + "Format");
        return factory.Create<WireFormat>();
    }

    /// @return the result of making the frame of this many bytes alone, without tag.
    DecodedFrame PassAsBytes(FullFrame& full)
    {
        const auto decoded = m_codec.DecodeBytes(m_codec.EncodeBytes(full.frame, full.GetDetail()));
        EXPECT_TRUE(decoded) << int{full.frame.opcode};
        return decoded.value_or(DecodedFrame{});
    }

    bool HasHeader(uint8_t code, HeaderKind kind) const
    {
        const HeaderList headers = m_format->GetHeaders(code);
        return std::find(headers.begin(), headers.end(), kind) != headers.end();
    }

    Ptr<WireFormat> m_format{MakeFormat()};
    RoceCodec m_codec{*m_format, std::get<1>(GetParam())};
    HeaderSizes m_sizes{*m_format, std::get<1>(GetParam())};
    RandomFrames m_maker{7};
};

INSTANTIATE_TEST_SUITE_P(Wire,
                         RoceCodecTest,
                         testing::Combine(testing::Values("Ibta", "Irn", "Srnic"),
                                          testing::Values(IpVersion::V4, IpVersion::V6)),
                         [](const auto& info) {
                             return std::string(std::get<0>(info.param)) +
                                    (std::get<1>(info.param) == IpVersion::V4 ? "V4" : "V6");
                         });
} // namespace

TEST_P(RoceCodecTest, APacketIsAsLongAsHeaderSizesSay)
{
    for (uint32_t code = 0; code < OPAQUE_OPCODE; ++code)
    {
        for (uint16_t payload = 0; payload <= 5; ++payload)
        {
            Frame frame{};
            frame.opcode = static_cast<uint8_t>(code);
            frame.payloadBytes = payload;
            EXPECT_EQ(m_codec.Encode(frame, nullptr)->GetSize(), m_sizes.GetFrame(code, payload))
                << "opcode " << code << ", payload " << payload;
        }
    }
}

TEST_P(RoceCodecTest, APacketGivesBackItsWholeFrame)
{
    auto codes = GetSpecifiedOpcodes();
    codes.push_back(opcode::READ_ACK);
    codes.push_back(opcode::STROM_RPC_PARAMS);
    for (const uint8_t code : codes)
    {
        for (uint32_t round = 0; round < 20; ++round)
        {
            const uint16_t payload = HasPayload(code) ? static_cast<uint16_t>(round * 37) : 0;
            const auto full = m_maker.Make(m_codec, code, payload);
            const auto decoded = m_codec.Decode(m_codec.Encode(full->frame, full->GetDetail()));
            ASSERT_TRUE(decoded) << int{code};
            EXPECT_EQ(GetFields(decoded->frame), GetFields(full->frame)) << int{code};
            ASSERT_TRUE(decoded->detail);
            EXPECT_EQ(GetFields(*decoded->detail), GetFields(full->detail)) << int{code};
            EXPECT_EQ(decoded->payload, full->cargo.bytes);
        }
    }
}

TEST_P(RoceCodecTest, BytesAloneGiveWhatEachPacketHas)
{
    for (const uint8_t code : GetSpecifiedOpcodes())
    {
        const auto full = m_maker.Make(m_codec, code, HasPayload(code) ? 33 : 0);
        const Frame& sent = full->frame;
        const DecodedFrame got = PassAsBytes(*full);
        EXPECT_EQ(got.frame.opcode, code);
        EXPECT_EQ(got.frame.src, sent.src);
        EXPECT_EQ(got.frame.dst, sent.dst);
        EXPECT_EQ(got.frame.priority, sent.priority);
        EXPECT_EQ(got.frame.wireBytes, sent.wireBytes);
        EXPECT_EQ(got.frame.payloadBytes, sent.payloadBytes);
        EXPECT_EQ(got.frame.dstQp, sent.dstQp);
        EXPECT_EQ(got.frame.psn, sent.psn);
        EXPECT_EQ(got.payload, full->cargo.bytes);
        uint16_t onWire = frame_flag::ECN_CAPABLE | frame_flag::CE | frame_flag::ACK_REQUEST |
                          frame_flag::TRIMMED;
        onWire |= code == opcode::CNP ? 0 : frame_flag::CE_ECHO;
        EXPECT_EQ(got.frame.flags & ~frame_flag::SELECTIVE, sent.flags & onWire) << int{code};
        EXPECT_EQ(got.detail && got.detail->isSolicited, full->detail.isSolicited);
        // Not on the wire.
        EXPECT_EQ(got.frame.sendTime, 0);
        EXPECT_EQ(got.frame.entropy, 0);
    }
}

TEST_P(RoceCodecTest, TheDscpOfAFrameIsInItsIpHeader)
{
    for (uint8_t dscp = 0; dscp < DSCPS; ++dscp)
    {
        const auto full = m_maker.Make(m_codec, opcode::WRITE_ONLY, 8);
        full->frame.flags = frame_flag::ECN_CAPABLE;
        full->frame.priority = 1;
        full->frame.SetDscp(dscp);
        const std::vector<uint8_t> bytes = m_codec.EncodeBytes(full->frame, full->GetDetail());
        // The traffic class is the second byte of IPv4, and the bits 4 to 11 of IPv6.
        const bool isIpv4 = bytes[12] == 0x08;
        const int octet = isIpv4 ? bytes[15] : (bytes[14] & 15) << 4 | bytes[15] >> 4;
        EXPECT_EQ(octet, dscp << 2 | 2) << int{dscp}; // ECT(0).
        const auto tagged = m_codec.Decode(m_codec.Encode(full->frame, full->GetDetail()));
        ASSERT_TRUE(tagged);
        EXPECT_EQ(tagged->frame.GetDscp(), dscp);
        EXPECT_EQ(tagged->frame.priority, 1);
        EXPECT_EQ(tagged->frame.flags & frame_flag::TRIMMED, 0);
        const auto plain = m_codec.DecodeBytes(bytes);
        ASSERT_TRUE(plain);
        EXPECT_EQ(plain->frame.priority, dscp / 8);
        // 1 and 3 above a class selector are those of trimmed packets.
        const bool countsAsTrimmed = dscp % 8 == 1 || dscp % 8 == 3;
        EXPECT_EQ((plain->frame.flags & frame_flag::TRIMMED) != 0, countsAsTrimmed) << int{dscp};
        EXPECT_EQ(plain->frame.GetDscp(), countsAsTrimmed ? dscp / 8 * 8 : dscp) << int{dscp};
    }
}

TEST_P(RoceCodecTest, BytesAloneGiveTheFieldsOfTheHeadersThatFollow)
{
    for (const uint8_t code : GetSpecifiedOpcodes())
    {
        const auto full = m_maker.Make(m_codec, code, HasPayload(code) ? 4 : 0);
        const Frame& sent = full->frame;
        const DecodedFrame got = PassAsBytes(*full);
        const FrameDetail detail = got.detail.value_or(FrameDetail{});
        const auto expect =
            [&](std::initializer_list<HeaderKind> kinds, auto value, auto original) {
                bool isThere = false;
                for (const HeaderKind kind : kinds)
                {
                    isThere = isThere || HasHeader(code, kind);
                }
                EXPECT_EQ(value, isThere ? original : 0) << "opcode " << int{code};
            };
        using Kind = HeaderKind;
        expect({Kind::RETH, Kind::ATOMIC_ETH, Kind::SRNIC_WRITE},
               detail.remoteKey,
               full->detail.remoteKey);
        expect({Kind::IMM_DT}, detail.immediate, full->detail.immediate);
        expect({Kind::ATOMIC_ETH}, detail.compare, full->detail.compare);
        expect({Kind::ATOMIC_ETH, Kind::ATOMIC_ACK_ETH}, detail.swapAdd, full->detail.swapAdd);
        expect({Kind::DETH}, detail.queueKey, full->detail.queueKey);
        expect({Kind::DETH}, got.frame.srcQp, sent.srcQp);
        expect({Kind::AETH}, got.frame.syndrome, sent.syndrome);
        expect({Kind::SRNIC_META, Kind::SRNIC_WRITE}, got.frame.ssn, sent.ssn);
        expect({Kind::RETH, Kind::SRNIC_META, Kind::SRNIC_WRITE, Kind::SRNIC_ECHO},
               got.frame.messageBytes,
               sent.messageBytes);
        if (opcode::IsRequest(code))
        {
            expect({Kind::RETH, Kind::ATOMIC_ETH, Kind::SRNIC_WRITE},
                   got.frame.remoteAddress,
                   sent.remoteAddress);
        }
        else
        {
            expect({Kind::AETH}, got.frame.ack.msn, sent.ack.msn);
        }
    }
}

TEST_P(RoceCodecTest, TheSelectivePsnIsOnTheWireWhereTheFormatHasIt)
{
    auto full = m_maker.Make(m_codec, opcode::ACK, 0);
    full->frame.ack = {0x123456, 0x654321};
    full->frame.flags |= frame_flag::SELECTIVE;
    const bool hasIt = HasHeader(opcode::ACK, HeaderKind::IRN_SACK) ||
                       HasHeader(opcode::ACK, HeaderKind::SRNIC_ECHO);
    EXPECT_EQ(hasIt, std::string(std::get<0>(GetParam())) != "Ibta");
    Frame got = PassAsBytes(*full).frame;
    EXPECT_EQ((got.flags & frame_flag::SELECTIVE) != 0, hasIt);
    EXPECT_EQ(got.ack.selectivePsn, hasIt ? 0x123456U : 0U);
    full->frame.flags = ChangeFlags(full->frame.flags, frame_flag::SELECTIVE, false);
    got = PassAsBytes(*full).frame;
    EXPECT_EQ(got.flags & frame_flag::SELECTIVE, 0);
    // SRNIC echoes the PSN of each packet that it answers (section 4.4.1).
    EXPECT_EQ(got.ack.selectivePsn,
              HasHeader(opcode::ACK, HeaderKind::SRNIC_ECHO) ? 0x123456U : 0U);
}

TEST_P(RoceCodecTest, RefusesAPacketCutAnywhere)
{
    const auto full = m_maker.Make(m_codec, opcode::WRITE_ONLY_IMM, 9);
    const auto whole = m_codec.EncodeBytes(full->frame, full->GetDetail());
    ASSERT_TRUE(m_codec.DecodeBytes(whole));
    for (std::size_t size = 0; size < whole.size(); ++size)
    {
        EXPECT_FALSE(m_codec.DecodeBytes({whole.begin(), whole.begin() + size})) << size;
    }
    auto longer = whole;
    longer.push_back(0);
    EXPECT_FALSE(m_codec.DecodeBytes(longer));
}

TEST_P(RoceCodecTest, RefusesAPacketWithAFlippedBit)
{
    const bool isIpv4 = std::get<1>(GetParam()) == IpVersion::V4;
    const auto full = m_maker.Make(m_codec, opcode::WRITE_ONLY_IMM, 9);
    const auto whole = m_codec.EncodeBytes(full->frame, full->GetDetail());
    const std::size_t udp = isIpv4 ? 34 : 54;
    // What neither ICRC nor a length nor IPv4's checksum protects: MAC addresses, the UDP checksum,
    // BTH byte 4; of IPv6 also traffic class, flow label and hop limit.
    const auto isFree = [&](std::size_t byte, uint32_t bit) {
        const bool isIpv6Free =
            !isIpv4 && ((byte == 14 && bit < 4) || (byte > 14 && byte < 18) || byte == 21);
        return byte < 12 || byte == udp + 6 || byte == udp + 7 || byte == udp + 12 || isIpv6Free;
    };
    for (std::size_t byte = 0; byte < whole.size(); ++byte)
    {
        for (uint32_t bit = 0; bit < 8; ++bit)
        {
            auto damaged = whole;
            damaged[byte] ^= static_cast<uint8_t>(1U << bit);
            EXPECT_EQ(m_codec.DecodeBytes(damaged).has_value(), isFree(byte, bit))
                << "byte " << byte << ", bit " << bit;
        }
    }
}

TEST_P(RoceCodecTest, RefusesRandomBytes)
{
    std::mt19937 random(3);
    for (uint32_t round = 0; round < 2'000; ++round)
    {
        std::vector<uint8_t> bytes(random() % 200);
        for (uint8_t& byte : bytes)
        {
            byte = static_cast<uint8_t>(random());
        }
        EXPECT_FALSE(m_codec.DecodeBytes(bytes));
    }
}
