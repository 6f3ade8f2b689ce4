// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/int-header.h"

#include "ns3/frame-pool.h"
#include "ns3/header-sizes.h"
#include "ns3/roce-codec.h"

#include <boost/endian/conversion.hpp>
#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr IntRules FIVE_HOPS{5, false};
} // namespace

TEST(IntHeader, FiveHopsTakeFortyTwoBytes)
{
    EXPECT_EQ(IntHeader::GetBytes(5), 42); // As in HPCC.
}

TEST(IntHeader, IsOnSendsWritesAndWhatAcknowledgesThem)
{
    for (const uint8_t code :
         {opcode::SEND_FIRST, opcode::WRITE_MIDDLE, opcode::WRITE_ONLY_IMM, opcode::ACK})
    {
        EXPECT_TRUE(FIVE_HOPS.IsCarriedBy(code)) << int{code};
        EXPECT_FALSE(IntRules{}.IsCarriedBy(code)) << int{code};
    }
    for (const uint8_t code : {opcode::READ_REQUEST,
                               opcode::READ_RESPONSE_LAST,
                               opcode::READ_ACK,
                               opcode::ATOMIC_ACK,
                               opcode::CMP_SWAP,
                               opcode::CNP,
                               opcode::Make(Service::UC, opcode::WRITE_ONLY)})
    {
        EXPECT_FALSE(FIVE_HOPS.IsCarriedBy(code)) << int{code};
    }
    const IntRules withReads{5, true};
    EXPECT_TRUE(withReads.IsCarriedBy(opcode::READ_RESPONSE_LAST));
    EXPECT_TRUE(withReads.IsCarriedBy(opcode::READ_ACK));
    EXPECT_FALSE(withReads.IsCarriedBy(opcode::READ_REQUEST));
}

TEST(IntHeader, ItsBytesAreOnTheWire)
{
    const HeaderSizes sizes(*CreateObject<IbtaFormat>(), IpVersion::V4, FIVE_HOPS);
    EXPECT_EQ(sizes.GetWriteFrame(false, 1024), 58 + 42 + 1024);
    EXPECT_EQ(sizes.GetAckFrame(), 62 + 42);
    EXPECT_EQ(sizes.GetFrame(opcode::CNP, 0), 74);
}

TEST(IntHeader, PacksAHopIntoSixtyFourBits)
{
    IntStack path(5);
    // 100 Gb/s is code 2; 7 ns; 3 x 128 B; 2 x 80 B.
    path.Push({7'999, 3 * 128 + 127, 100'000'000'000, 2 * 80 + 79});
    std::vector<uint8_t> header(IntHeader::GetBytes(5), 0);
    IntHeader::Write(header.data(), &path);
    EXPECT_EQ(boost::endian::load_big_u16(header.data()), 0x1000); // One hop.
    EXPECT_EQ(boost::endian::load_big_u64(&header[2]),
              uint64_t{2} << 61 | uint64_t{7} << 37 | 3 << 17 | 2);
    EXPECT_EQ(IntHeader::Read(header.data(), 5),
              std::vector<IntHop>({{7'000, 3 * 128, 100'000'000'000, 2 * 80}}));
}

TEST(IntHeader, TimeAndBytesWrapAndTheQueueIsCapped)
{
    IntStack path(5);
    const Tick wrapped = (Tick{1} << 24) * 1000;
    path.Push({wrapped + 5'000, (uint64_t{1} << 27) + 128, 33'000'000'000, UINT32_MAX});
    std::vector<uint8_t> header(IntHeader::GetBytes(5), 0);
    IntHeader::Write(header.data(), &path);
    // No code for 33 Gb/s: unknown.
    EXPECT_EQ(IntHeader::Read(header.data(), 5),
              std::vector<IntHop>({{5'000, 128, 0, 0x1ffff * 80}}));
}

TEST(IntHeader, IsInThePacketBehindTheOtherHeaders)
{
    FramePool pool;
    const auto format = CreateObject<IbtaFormat>();
    const RoceCodec codec(*format, IpVersion::V4, FIVE_HOPS);
    const FrameIndex index = pool.Allocate();
    Frame& frame = pool[index];
    frame = Frame{};
    frame.src = 1;
    frame.dst = 2;
    frame.opcode = opcode::WRITE_ONLY;
    frame.payloadBytes = 3;
    frame.wireBytes = 58 + 16 + 42 + 4;
    pool.AddIntStack(index, 5);
    const FrameDetail* detail = pool.FindDetail(frame);
    detail->path->Push({7'000, 128, 100'000'000'000, 80});
    const std::vector<uint8_t> bytes = codec.EncodeBytes(frame, detail);
    EXPECT_EQ(bytes.size(), frame.wireBytes);
    const auto decoded = codec.DecodeBytes(bytes);
    ASSERT_TRUE(decoded);
    EXPECT_EQ(decoded->path, std::vector<IntHop>({{7'000, 128, 100'000'000'000, 80}}));
    EXPECT_EQ(decoded->payload.size(), 3);
    EXPECT_EQ(codec.GetPayloadOffset(opcode::WRITE_ONLY), 58 + 16 + 42 - 4); // The ICRC is last.
    pool.Free(index);
}
