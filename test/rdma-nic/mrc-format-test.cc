// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/mrc-format.h"

#include "capture-folder.h"
#include "roce-test-frames.h"

#include "ns3/mrc-layouts.h"
#include "ns3/pcap-writer.h"

#include <filesystem>
#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
using Bytes = std::vector<uint8_t>;

constexpr std::size_t BTH_START{14 + 20 + 8};
constexpr Tick SEND_TIME{Tick{0x1beef} * 128'000}; ///< 128 ns each; 16 bits are on the wire.

Bytes
Cut(const Bytes& bytes, std::size_t start, std::size_t count)
{
    return {bytes.begin() + static_cast<std::ptrdiff_t>(start),
            bytes.begin() + static_cast<std::ptrdiff_t>(start + count)};
}

/// Packet 0x0e arrived with CE, two behind the last one in order, and the receiver holds the
/// packets 0x11 and 0x14.
FullFrame
MakeReport()
{
    FullFrame full;
    Frame& frame = full.frame;
    frame.next = NO_FRAME;
    frame.src = 3;
    frame.dst = 4;
    frame.opcode = opcode::ACK;
    frame.flags = ChangeKind(frame_flag::CE_ECHO | frame_flag::ANSWERS_RESENT, FrameKind::REPORT);
    frame.syndrome = syndrome::ACK;
    frame.dstQp = 0xa1b2c3;
    frame.srcQp = 0xd4e5f6;
    frame.psn = 0x10;
    frame.ack = {0x0e, 0};
    frame.sendTime = SEND_TIME;
    frame.echoedEntropy = 0xdeadbeef;
    frame.receivedBytes = 0xabcdefU * 256U - 255U; // Rounded up to 0xabcdef units.
    full.detail.bits = 0b1001;
    full.detail.range = {0x11, 2};
    return full;
}

/// Packet 0x123456 was trimmed; 0x10 is the next one expected.
FullFrame
MakeNack(bool isLastHop)
{
    FullFrame full = MakeReport();
    const uint16_t trims =
        isLastHop ? frame_flag::TRIMMED | frame_flag::LAST_HOP : frame_flag::TRIMMED;
    full.frame.flags = ChangeKind(trims, FrameKind::REPORT);
    full.frame.syndrome = syndrome::NAK_PSN_SEQUENCE;
    full.frame.ack.selectivePsn = 0x123456;
    full.detail = FrameDetail{};
    return full;
}

FullFrame
MakeWrite(uint8_t code, uint16_t payloadBytes)
{
    FullFrame full;
    Frame& frame = full.frame;
    frame.next = NO_FRAME;
    frame.src = 3;
    frame.dst = 4;
    frame.opcode = code;
    frame.flags = frame_flag::RETRANSMISSION | frame_flag::ACK_REQUEST;
    frame.dstQp = 5;
    frame.psn = 0xfffffe;
    frame.ssn = 0x0102;
    frame.remoteAddress = 0x1122334455667788;
    frame.messageBytes = 0x00010000;
    frame.payloadBytes = payloadBytes;
    full.detail.remoteKey = 0x99aabbcc;
    full.detail.immediate = 0x31323334;
    full.cargo.bytes.assign(payloadBytes, 0xf5);
    return full;
}

class MrcPackets : public testing::Test
{
  protected:
    Bytes Encode(FullFrame& full) const
    {
        return m_codec.EncodeBytes(full.frame, full.GetDetail());
    }

    DecodedFrame DecodeBytes(FullFrame& full) const
    {
        const auto decoded = m_codec.DecodeBytes(Encode(full));
        EXPECT_TRUE(decoded);
        return decoded.value_or(DecodedFrame{});
    }

    /// With the tag, as a packet inside a simulation has it.
    DecodedFrame Pass(FullFrame& full) const
    {
        full.frame.wireBytes = static_cast<uint16_t>(Encode(full).size());
        const auto decoded = m_codec.Decode(m_codec.Encode(full.frame, full.GetDetail()));
        EXPECT_TRUE(decoded);
        return decoded.value_or(DecodedFrame{});
    }

    Ptr<MrcFormat> m_format{CreateObject<MrcFormat>()};
    RoceCodec m_codec{*m_format, IpVersion::V4};
    HeaderSizes m_sizes{*m_format};
};
} // namespace

TEST_F(MrcPackets, HaveTheSizesOfTheSpecification)
{
    // Ethernet 14, IPv4 20, UDP 8, BTH 12, ICRC 4: 58; METH 4 and RETH 16.
    for (const bool isFirst : {true, false})
    {
        EXPECT_EQ(m_sizes.GetWriteFrame(isFirst, 4096), 58 + 20 + 4096);
    }
    EXPECT_EQ(m_sizes.GetFrame(opcode::WRITE_LAST_IMM, 4), 58 + 24 + 4);
    EXPECT_EQ(m_sizes.GetAckFrame(), 58 + 28 + 8); // SETH and CC_STATE.
    EXPECT_EQ(m_sizes.GetNackFrame(), 58 + 20);
    EXPECT_EQ(m_sizes.GetFrame(opcode::ACK, 0), 58 + 4); // An acknowledgment that is no report.
    EXPECT_EQ(m_sizes.GetFrame(opcode::READ_REQUEST, 0), 58 + 16);
    EXPECT_EQ(m_sizes.GetFrame(mrc_opcode::PROBE, 0), 58 + 16);
    EXPECT_EQ(m_sizes.GetFrame(mrc_opcode::ENDPOINT_RESPONSE, 0), 58 + 36);
    // Other formats have one size for all acknowledgments.
    EXPECT_EQ(HeaderSizes().GetNackFrame(), 58 + 4);
    EXPECT_EQ(HeaderSizes().GetAckFrame(), 58 + 4);
}

TEST_F(MrcPackets, AReportHasTheBytesOfTheTables)
{
    FullFrame full = MakeReport();
    const Bytes expected{
        0xdc, 0x00, 0xff, 0xff, // Opcode, flags, P_Key.
        0x00, 0xa1, 0xb2, 0xc3, // No BECN; destination QP.
        0x20, 0x00, 0x00, 0x10, // rtx; PSN: the cumulative one.
        0x00, 0x20, 0xff, 0xfe, // m = 01 in bits 9 and 10; ack_psn_offset -2.
        0xde, 0xad, 0xbe, 0xef, // Entropy.
        0xb2, 0xc3, 0xe5, 0xf6, // The requester's and the responder's queue pair.
        0x00, 0x00, 0x00, 0x10, // cack_psn.
        0x00, 0x00, 0x00, 0x01, // Congestion control type, MPR; sack_offset 1.
        0x00, 0x00, 0x00, 0x00, // Bitmap.
        0x00, 0x00, 0x00, 0x09, //
        0xbe, 0xef, 0x00, 0x02, // Time; ooo_count.
        0x00, 0xab, 0xcd, 0xef, // restore, penalty; rcvd_bytes.
    };
    EXPECT_EQ(Cut(Encode(full), BTH_START, 12 + 36), expected);
    EXPECT_EQ(Encode(full).size(), m_sizes.GetAckFrame());
}

TEST_F(MrcPackets, ATrimNoticeHasTheBytesOfTheTables)
{
    for (const bool isLastHop : {false, true})
    {
        FullFrame full = MakeNack(isLastHop);
        const Bytes expected{
            0xdd, 0x00, 0xff,
            0xff, //
            0x00, 0xa1, 0xb2,
            0xc3, //
            0x00, 0x12, 0x34,
            0x56, // PSN: of the trimmed packet.
            0x00, 0x00, static_cast<uint8_t>(isLastHop ? 2 : 1),
            0x00, // Reason.
            0xde, 0xad, 0xbe,
            0xef, //
            0xb2, 0xc3, 0xe5,
            0xf6, //
            0x00, 0x12, 0x34,
            0x56, // nack_psn.
            0x00, 0x00, 0xbe,
            0xef, // Time.
        };
        const Bytes bytes = Encode(full);
        EXPECT_EQ(Cut(bytes, BTH_START, 12 + 20), expected);
        EXPECT_EQ(bytes.size(), m_sizes.GetNackFrame());
        EXPECT_EQ(bytes[15], 0); // The answer's DSCP is not that of a trimmed packet.
    }
}

TEST_F(MrcPackets, EachPacketOfAWriteHasMethAndReth)
{
    FullFrame full = MakeWrite(opcode::WRITE_LAST_IMM, 6);
    const Bytes expected{
        0xc9, 0x20, 0xff, 0xff,                         // Opcode; two pad bytes; P_Key.
        0x00, 0x00, 0x00, 0x05,                         //
        0xa0, 0xff, 0xff, 0xfe,                         // AckReq and rtx; PSN.
        0x01, 0x02, 0x00, 0x00,                         // RQMSN, MSN.
        0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, // Address.
        0x99, 0xaa, 0xbb, 0xcc,                         // R_Key.
        0x00, 0x01, 0x00, 0x00,                         // Length of the message.
        0x31, 0x32, 0x33, 0x34,                         // Immediate.
        0xf5, 0xf5, 0xf5, 0xf5, 0xf5, 0xf5, 0x00, 0x00,
    };
    EXPECT_EQ(Cut(Encode(full), BTH_START, expected.size()), expected);
}

TEST_F(MrcPackets, ReportsAndNoticesComeBackWhole)
{
    for (FullFrame full : {MakeReport(), MakeNack(false), MakeNack(true)})
    {
        const DecodedFrame decoded = Pass(full);
        const Frame& frame = decoded.frame;
        EXPECT_EQ(frame.opcode, opcode::ACK);
        EXPECT_EQ(frame.flags, full.frame.flags);
        EXPECT_EQ(frame.syndrome, full.frame.syndrome);
        EXPECT_EQ(uint32_t{frame.psn}, 0x10);
        EXPECT_EQ(frame.ack.selectivePsn, full.frame.ack.selectivePsn);
        EXPECT_EQ(frame.sendTime, SEND_TIME);
        EXPECT_EQ(frame.receivedBytes, full.frame.receivedBytes); // Exact, not in units.
        EXPECT_EQ(frame.echoedEntropy, 0xdeadbeef);
        ASSERT_EQ(decoded.detail.has_value(), true);
        EXPECT_EQ(decoded.detail->bits, full.detail.bits);
        EXPECT_EQ(decoded.detail->range.base, full.detail.range.base);
        EXPECT_EQ(decoded.detail->range.held, full.detail.range.held);
    }
}

TEST_F(MrcPackets, AProbeAndItsAnswerComeBack)
{
    FullFrame probe = MakeWrite(opcode::WRITE_ONLY, 0);
    probe.frame.flags = ChangeKind(0, FrameKind::PROBE);
    probe.frame.srcQp = 6;
    const Bytes expected{
        0xde, 0x00, 0xff, 0xff, //
        0x00, 0x00, 0x00, 0x05, //
        0x00, 0xff, 0xff, 0xfe, // PSN: of the newest packet sent.
        0x00, 0x00, 0x00, 0x00, //
        0xff, 0xfe, 0x00, 0x00, // Number of the probe.
    };
    const Bytes bytes = Encode(probe);
    EXPECT_EQ(bytes.size(), m_sizes.GetProbeFrame());
    EXPECT_EQ(Cut(bytes, BTH_START, 20), Cut(expected, 0, 20));
    const DecodedFrame decoded = Pass(probe);
    EXPECT_EQ(decoded.frame.opcode, opcode::WRITE_ONLY);
    EXPECT_EQ(decoded.frame.GetKind(), FrameKind::PROBE);
    EXPECT_EQ(uint32_t{decoded.frame.psn}, 0xfffffe);

    FullFrame answer = MakeReport();
    answer.frame.flags = ChangeKind(answer.frame.flags, FrameKind::PROBE_REPORT);
    EXPECT_EQ(Encode(answer)[BTH_START + 12 + 1], 0x22); // m = 01 and pr.
    EXPECT_EQ(Pass(answer).frame.flags, answer.frame.flags);
}

TEST_F(MrcPackets, BareBytesGiveWhatTheWireCarries)
{
    FullFrame report = MakeReport();
    const DecodedFrame decoded = DecodeBytes(report);
    EXPECT_EQ(decoded.frame.opcode, opcode::ACK);
    EXPECT_EQ(decoded.frame.flags, report.frame.flags);
    EXPECT_EQ(decoded.frame.syndrome, syndrome::ACK);
    EXPECT_EQ(uint32_t{decoded.frame.psn}, 0x10);
    EXPECT_EQ(decoded.frame.ack.selectivePsn, 0x0e);
    EXPECT_EQ(decoded.frame.receivedBytes, 0xabcdef * 256U);
    ASSERT_TRUE(decoded.detail);
    EXPECT_EQ(decoded.detail->bits, 0b1001);
    EXPECT_EQ(decoded.detail->range.base, 0x11);
    EXPECT_EQ(decoded.detail->range.held, 2);

    FullFrame nack = MakeNack(true);
    const DecodedFrame notice = DecodeBytes(nack);
    EXPECT_EQ(notice.frame.flags, nack.frame.flags);
    EXPECT_EQ(notice.frame.ack.selectivePsn, 0x123456);
    EXPECT_EQ(notice.frame.syndrome, syndrome::NAK_PSN_SEQUENCE);
    EXPECT_EQ(uint32_t{notice.frame.psn}, 0); // The expected PSN is not on the wire.

    FullFrame write = MakeWrite(opcode::WRITE_MIDDLE, 100);
    const DecodedFrame data = DecodeBytes(write);
    EXPECT_EQ(data.frame.opcode, opcode::WRITE_MIDDLE);
    EXPECT_EQ(data.frame.flags, write.frame.flags);
    EXPECT_EQ(data.frame.ssn, 0x0102);
    EXPECT_EQ(data.frame.remoteAddress, write.frame.remoteAddress);
    EXPECT_EQ(data.payload, write.cargo.bytes);
}

TEST_F(MrcPackets, PsnsAreRelativeAcrossTheWrap)
{
    FullFrame full = MakeReport();
    full.frame.psn = 0xfffffe;
    full.frame.ack.selectivePsn = 0x000003; // Five behind.
    full.detail.range.base = 0x000001;
    const Bytes bytes = Encode(full);
    EXPECT_EQ(Cut(bytes, BTH_START + 12 + 2, 2), (Bytes{0, 5}));
    EXPECT_EQ(Cut(bytes, BTH_START + 12 + 18, 2), (Bytes{0, 3}));
    const DecodedFrame decoded = DecodeBytes(full);
    EXPECT_EQ(decoded.frame.ack.selectivePsn, 3);
    EXPECT_EQ(decoded.detail->range.base, 1);
}

TEST_F(MrcPackets, AReportWithoutPacketsOutOfOrderNeedsNoDetail)
{
    FullFrame full = MakeReport();
    const auto decoded = m_codec.DecodeBytes(m_codec.EncodeBytes(full.frame, nullptr));
    ASSERT_TRUE(decoded);
    EXPECT_FALSE(decoded->detail);
    EXPECT_EQ(decoded->frame.ack.selectivePsn, 0x0e);
}

TEST_F(MrcPackets, OperationsThatMrcDoesNotHaveAreThoseOfRoce)
{
    const auto ibta = CreateObject<IbtaFormat>();
    const RoceCodec roce(*ibta, IpVersion::V4);
    for (const uint8_t code : GetSpecifiedOpcodes())
    {
        const bool isWrite =
            opcode::GetService(code) == Service::RC && opcode::GetKind(code) == OpcodeKind::WRITE;
        RandomFrames frames(code);
        const auto full = frames.Make(m_codec, code, HasPayload(code) ? 5 : 0);
        full->frame.flags &= frame_flag::ECN_CAPABLE | frame_flag::CE;
        const Bytes bytes = m_codec.EncodeBytes(full->frame, full->GetDetail());
        if (isWrite)
        {
            EXPECT_EQ(bytes[BTH_START], 0xc0 | code);
        }
        else if (code == opcode::ACK)
        {
            EXPECT_EQ(bytes[BTH_START], 0xd1);
        }
        else
        {
            EXPECT_EQ(bytes, roce.EncodeBytes(full->frame, full->GetDetail())) << int{code};
        }
        EXPECT_EQ(m_codec.DecodeBytes(bytes)->frame.opcode, code);
    }
}

TEST(TrimmedDscp, TellsTheLastHopFromOthers)
{
    const auto format = CreateObject<IbtaFormat>();
    const RoceCodec codec(*format, IpVersion::V4);
    Frame frame{};
    frame.src = 3;
    frame.dst = 4;
    frame.opcode = opcode::WRITE_MIDDLE;
    frame.priority = 5;
    const auto pass = [&](uint16_t flags) {
        frame.flags = flags;
        const Bytes bytes = codec.EncodeBytes(frame, nullptr);
        EXPECT_EQ(codec.DecodeBytes(bytes)->frame.flags, flags);
        return bytes[15] >> 2; // DSCP: the class times eight, and our two bits.
    };
    EXPECT_EQ(pass(0), 40);
    EXPECT_EQ(pass(frame_flag::TRIMMED), 41);
    EXPECT_EQ(pass(frame_flag::TRIMMED | frame_flag::LAST_HOP), 43);
}

TEST_F(MrcPackets, HoldEachKindForOtherTools)
{
    // Read by test/python/test_mrc_captures.py, which sets the folder.
    const CaptureFolder captures;
    PcapWriter pcap(std::filesystem::path(captures.GetPath()) / "mrc.pcap");
    Tick now = 0;
    const auto write = [&](FullFrame full) {
        const Bytes bytes = Encode(full);
        pcap.Write(now += 1'000, bytes, bytes.size());
    };
    write(MakeReport());
    write(MakeNack(false));
    write(MakeNack(true));
    for (uint8_t code = opcode::WRITE_FIRST; code <= opcode::WRITE_ONLY_IMM; ++code)
    {
        write(MakeWrite(code, 1001));
    }
    FullFrame ack = MakeReport();
    ack.frame.flags = 0;
    ack.frame.ack.msn = 0x777;
    write(ack);
    pcap.Close();
    EXPECT_EQ(now, 10'000);
}
