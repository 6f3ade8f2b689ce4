// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/header-fields.h"

#include "ns3/opcode.h"

#include <gtest/gtest.h>
#include <vector>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
using Bytes = std::vector<uint8_t>;

Bytes
Write(const HeaderLayout& layout, const Frame& frame, const FrameDetail& detail)
{
    Bytes bytes(layout.bytes, 0);
    layout.Write(bytes.data(), frame, detail);
    return bytes;
}

/// A header, a frame with values in all of its fields, and the bytes of the specification.
struct Vector
{
    const char* name;
    HeaderKind kind;
    void (*fill)(Frame& frame, FrameDetail& detail);
    Bytes bytes;
    Bytes reserved; ///< Bits that are in no field.
};

const Vector VECTORS[] = {
    {"Reth",
     HeaderKind::RETH,
     [](Frame& frame, FrameDetail& detail) {
         frame.remoteAddress = 0x0102030405060708;
         detail.remoteKey = 0x11121314;
         frame.messageBytes = 0x21222324;
     },
     {0x01,
      0x02,
      0x03,
      0x04,
      0x05,
      0x06,
      0x07,
      0x08, // Virtual address.
      0x11,
      0x12,
      0x13,
      0x14, // R_Key.
      0x21,
      0x22,
      0x23,
      0x24}, // DMA length.
     Bytes(16, 0)},
    {"ImmDt",
     HeaderKind::IMM_DT,
     [](Frame&, FrameDetail& detail) { detail.immediate = 0x01020304; },
     {0x01, 0x02, 0x03, 0x04},
     Bytes(4, 0)},
    {"Aeth",
     HeaderKind::AETH,
     [](Frame& frame, FrameDetail&) {
         frame.syndrome = 0x61; // NAK, invalid request.
         frame.ack.msn = 0x010203;
     },
     {0x61, 0x01, 0x02, 0x03},
     Bytes(4, 0)},
    {"AtomicEth",
     HeaderKind::ATOMIC_ETH,
     [](Frame& frame, FrameDetail& detail) {
         frame.remoteAddress = 0x0102030405060708;
         detail.remoteKey = 0x11121314;
         detail.swapAdd = 0x2122232425262728;
         detail.compare = 0x3132333435363738;
     },
     {0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, // Virtual address.
      0x11, 0x12, 0x13, 0x14,                         // R_Key.
      0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x27, 0x28, // Swap or add.
      0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38},
     Bytes(28, 0)},
    {"AtomicAckEth",
     HeaderKind::ATOMIC_ACK_ETH,
     [](Frame&, FrameDetail& detail) { detail.swapAdd = 0x0102030405060708; },
     {0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08},
     Bytes(8, 0)},
    {"Deth",
     HeaderKind::DETH,
     [](Frame& frame, FrameDetail& detail) {
         detail.queueKey = 0x11111111;
         frame.srcQp = 0x123456;
     },
     {0x11, 0x11, 0x11, 0x11, 0x00, 0x12, 0x34, 0x56},
     {0, 0, 0, 0, 0xff, 0, 0, 0}},
    {"Cnp", HeaderKind::CNP_RESERVED, [](Frame&, FrameDetail&) {}, Bytes(16, 0), Bytes(16, 0xff)},
    {"IrnSack",
     HeaderKind::IRN_SACK,
     [](Frame& frame, FrameDetail&) {
         frame.flags = frame_flag::SELECTIVE;
         frame.ack.selectivePsn = 0x010203;
     },
     {0x80, 0x01, 0x02, 0x03},
     {0x7f, 0, 0, 0}},
    {"SrnicMeta",
     HeaderKind::SRNIC_META,
     [](Frame& frame, FrameDetail&) {
         frame.ssn = 0x010203;
         frame.psnOffset = 0x11121314;
     },
     {0x00, 0x01, 0x02, 0x03, 0x11, 0x12, 0x13, 0x14},
     {0xff, 0, 0, 0, 0, 0, 0, 0}},
    {"SrnicWrite",
     HeaderKind::SRNIC_WRITE,
     [](Frame& frame, FrameDetail& detail) {
         frame.remoteAddress = 0x2122232425262728;
         detail.remoteKey = 0x31323334;
         frame.ssn = 0x010203;
         frame.psnOffset = 0x11121314;
     },
     {0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x27, 0x28, 0x31, 0x32,
      0x33, 0x34, 0x00, 0x01, 0x02, 0x03, 0x11, 0x12, 0x13, 0x14},
     {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0, 0, 0, 0, 0, 0, 0}},
    {"SrnicEcho",
     HeaderKind::SRNIC_ECHO,
     [](Frame& frame, FrameDetail&) {
         frame.flags = frame_flag::SELECTIVE;
         frame.ack.selectivePsn = 0x010203;
         frame.psnOffset = 0x11121314;
     },
     {0x80, 0x01, 0x02, 0x03, 0x11, 0x12, 0x13, 0x14},
     {0x7f, 0, 0, 0, 0, 0, 0, 0}},
};

class HeaderLayouts : public testing::TestWithParam<Vector>
{
};

INSTANTIATE_TEST_SUITE_P(Wire, HeaderLayouts, testing::ValuesIn(VECTORS), [](const auto& info) {
    return std::string(info.param.name);
});
} // namespace

TEST_P(HeaderLayouts, HaveTheBytesOfTheSpecification)
{
    Frame frame{};
    FrameDetail detail{};
    GetParam().fill(frame, detail);
    EXPECT_EQ(Write(GetLayout(GetParam().kind), frame, detail), GetParam().bytes);
}

TEST_P(HeaderLayouts, KeepEveryBitThatIsNotReserved)
{
    const HeaderLayout& layout = GetLayout(GetParam().kind);
    ASSERT_EQ(layout.bytes, GetParam().reserved.size());
    // The bit of the selective PSN says whether IRN's counts: set, where the first bit is in use.
    const bool isIrn = GetParam().kind == HeaderKind::IRN_SACK;
    for (std::size_t bit = 0; bit < layout.bytes * 8; ++bit)
    {
        Bytes bytes(layout.bytes, 0);
        bytes[0] = isIrn ? 0x80 : 0;
        bytes[bit / 8] |= static_cast<uint8_t>(0x80 >> bit % 8);
        Bytes expected = bytes;
        expected[bit / 8] &= static_cast<uint8_t>(~GetParam().reserved[bit / 8]);
        Frame frame{};
        frame.opcode = opcode::SEND_ONLY;
        FrameDetail detail{};
        layout.Read(bytes.data(), frame, detail);
        EXPECT_EQ(Write(layout, frame, detail), expected) << "bit " << bit;
    }
}

TEST(BthLayout, HasTheBytesOfTheSpecification)
{
    Frame frame{};
    FrameDetail detail{};
    frame.opcode = 0x2a; // UC RDMA WRITE Only.
    frame.payloadBytes = 6;
    frame.flags = frame_flag::CE_ECHO | frame_flag::ACK_REQUEST;
    frame.dstQp = 0x123456;
    frame.psn = 0xabcdef;
    detail.isSolicited = true;
    // Opcode | SE 1, M 0, pad 10, TVer 0000 | P_Key | F 0, B 1 | QP | A 1 | PSN.
    const Bytes expected{0x2a, 0xa0, 0xff, 0xff, 0x40, 0x12, 0x34, 0x56, 0x80, 0xab, 0xcd, 0xef};
    EXPECT_EQ(Write(GetBthLayout(), frame, detail), expected);
    EXPECT_EQ(GetBthLayout().bytes, BTH_BYTES);

    const BthStart start = ReadBthStart(expected.data());
    EXPECT_EQ(start.opcode, 0x2a);
    EXPECT_EQ(start.padBytes, 2);
    EXPECT_EQ(start.version, 0);
    Frame read{};
    FrameDetail readDetail{};
    GetBthLayout().Read(expected.data(), read, readDetail);
    EXPECT_EQ(read.opcode, 0x2a);
    EXPECT_EQ(read.flags, frame.flags);
    EXPECT_EQ(read.dstQp, 0x123456);
    EXPECT_EQ(read.psn, 0xabcdef);
    EXPECT_TRUE(readDetail.isSolicited);
}

TEST(BthLayout, HasBecnOnEveryCnp)
{
    Frame cnp{};
    cnp.opcode = opcode::CNP;
    const Bytes bytes = Write(GetBthLayout(), cnp, {});
    EXPECT_EQ(bytes[4], 0x40);
    Frame read{};
    FrameDetail detail{};
    GetBthLayout().Read(bytes.data(), read, detail);
    EXPECT_EQ(read.flags & frame_flag::CE_ECHO, 0); // It is the packet itself that notifies.
}

TEST(BthLayout, KeepsEveryBitOfItsFields)
{
    // MigReq, pad count, TVer, P_Key and FECN do not come from a received packet.
    const Bytes ignored{0, 0x7f, 0xff, 0xff, 0xbf, 0, 0, 0, 0x7f, 0, 0, 0};
    for (std::size_t bit = 0; bit < BTH_BYTES * 8; ++bit)
    {
        Bytes bytes(BTH_BYTES, 0);
        bytes[bit / 8] = static_cast<uint8_t>(0x80 >> bit % 8);
        Bytes expected = bytes;
        expected[bit / 8] &= static_cast<uint8_t>(~ignored[bit / 8]);
        expected[2] = 0xff; // P_Key.
        expected[3] = 0xff;
        Frame frame{};
        FrameDetail detail{};
        GetBthLayout().Read(bytes.data(), frame, detail);
        EXPECT_EQ(Write(GetBthLayout(), frame, detail), expected) << "bit " << bit;
    }
}

TEST(HeaderField, ReadsAndWritesBitsThatCrossBytes)
{
    const HeaderField field{"x", 5, 13, nullptr, nullptr}; // Bits 5 to 17.
    Bytes bytes(3, 0);
    field.Write(bytes.data(), 0xffff1abc); // Cut to 13 bits: 1 1010 1011 1100.
    EXPECT_EQ(bytes, (Bytes{0x06, 0xaf, 0x00}));
    EXPECT_EQ(field.Read(bytes.data()), 0x1abc);
}
