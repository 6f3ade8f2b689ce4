// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/wire-format.h"

#include "ns3/header-fields.h"
#include "ns3/opcode.h"

#include <gtest/gtest.h>
#include <vector>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
using Kinds = std::vector<HeaderKind>;

Kinds
GetKinds(const WireFormat& format, uint8_t code)
{
    const HeaderList list = format.GetHeaders(code);
    return {list.begin(), list.end()};
}

constexpr HeaderKind RETH = HeaderKind::RETH;
constexpr HeaderKind IMM_DT = HeaderKind::IMM_DT;
constexpr HeaderKind AETH = HeaderKind::AETH;
constexpr HeaderKind META = HeaderKind::SRNIC_META;
constexpr HeaderKind WRITE = HeaderKind::SRNIC_WRITE;

struct FormatCase
{
    const char* name;
    uint8_t code;
    Kinds ibta;
    Kinds irn;
    Kinds srnic;
};

const FormatCase CASES[] = {
    {"SendFirst", opcode::SEND_FIRST, {}, {}, {META}},
    {"SendLastImm", opcode::SEND_LAST_IMM, {IMM_DT}, {IMM_DT}, {IMM_DT, META}},
    {"WriteFirst", opcode::WRITE_FIRST, {RETH}, {RETH}, {WRITE}},
    {"WriteMiddle", opcode::WRITE_MIDDLE, {}, {RETH}, {WRITE}},
    {"WriteLastImm", opcode::WRITE_LAST_IMM, {IMM_DT}, {RETH, IMM_DT}, {WRITE, IMM_DT}},
    {"WriteOnlyImm", opcode::WRITE_ONLY_IMM, {RETH, IMM_DT}, {RETH, IMM_DT}, {WRITE, IMM_DT}},
    {"ReadRequest", opcode::READ_REQUEST, {RETH}, {RETH}, {RETH, META}},
    {"ReadResponseFirst", opcode::READ_RESPONSE_FIRST, {AETH}, {AETH}, {AETH, META}},
    {"ReadResponseMiddle", opcode::READ_RESPONSE_MIDDLE, {}, {}, {META}},
    {"ReadResponseOnly", opcode::READ_RESPONSE_ONLY, {AETH}, {AETH}, {AETH, META}},
    {"Ack", opcode::ACK, {AETH}, {AETH, HeaderKind::IRN_SACK}, {AETH, HeaderKind::SRNIC_ECHO}},
    {"ReadAck",
     opcode::READ_ACK,
     {AETH},
     {AETH, HeaderKind::IRN_SACK},
     {AETH, HeaderKind::SRNIC_ECHO}},
    {"AtomicAck",
     opcode::ATOMIC_ACK,
     {AETH, HeaderKind::ATOMIC_ACK_ETH},
     {AETH, HeaderKind::ATOMIC_ACK_ETH},
     {AETH, HeaderKind::ATOMIC_ACK_ETH}},
    {"FetchAdd",
     opcode::FETCH_ADD,
     {HeaderKind::ATOMIC_ETH},
     {HeaderKind::ATOMIC_ETH},
     {HeaderKind::ATOMIC_ETH}},
    {"Cnp",
     opcode::CNP,
     {HeaderKind::CNP_RESERVED},
     {HeaderKind::CNP_RESERVED},
     {HeaderKind::CNP_RESERVED}},
    // Designs change reliable connections only.
    {"UcWriteMiddle", opcode::Make(Service::UC, opcode::WRITE_MIDDLE), {}, {}, {}},
    {"UcSendOnlyImm",
     opcode::Make(Service::UC, opcode::SEND_ONLY_IMM),
     {IMM_DT},
     {IMM_DT},
     {IMM_DT}},
    {"UdSendOnlyImm",
     opcode::Make(Service::UD, opcode::SEND_ONLY_IMM),
     {HeaderKind::DETH, IMM_DT},
     {HeaderKind::DETH, IMM_DT},
     {HeaderKind::DETH, IMM_DT}},
};

class WireFormats : public testing::TestWithParam<FormatCase>
{
};
} // namespace

TEST_P(WireFormats, HaveTheirHeadersInTheOrderOfTheWire)
{
    const FormatCase& item = GetParam();
    EXPECT_EQ(GetKinds(*CreateObject<IbtaFormat>(), item.code), item.ibta);
    EXPECT_EQ(GetKinds(*CreateObject<IrnFormat>(), item.code), item.irn);
    EXPECT_EQ(GetKinds(*CreateObject<SrnicFormat>(), item.code), item.srnic);
}

INSTANTIATE_TEST_SUITE_P(Opcodes, WireFormats, testing::ValuesIn(CASES), [](const auto& info) {
    return info.param.name;
});

TEST(WireFormat, OnlySrnicSaysThePlaceInTheMessage)
{
    EXPECT_FALSE(CreateObject<IbtaFormat>()->HasPsnOffset());
    EXPECT_FALSE(CreateObject<IrnFormat>()->HasPsnOffset());
    EXPECT_TRUE(CreateObject<SrnicFormat>()->HasPsnOffset());
}

TEST(WireFormat, HeadersAreAsLongAsTheSpecificationSays)
{
    EXPECT_EQ(GetHeaderBytes(HeaderKind::RETH), 8 + 4 + 4);
    EXPECT_EQ(GetHeaderBytes(HeaderKind::IMM_DT), 4);
    EXPECT_EQ(GetHeaderBytes(HeaderKind::AETH), 1 + 3);
    EXPECT_EQ(GetHeaderBytes(HeaderKind::ATOMIC_ETH), 8 + 4 + 8 + 8);
    EXPECT_EQ(GetHeaderBytes(HeaderKind::ATOMIC_ACK_ETH), 8);
    EXPECT_EQ(GetHeaderBytes(HeaderKind::DETH), 4 + 4);
    EXPECT_EQ(GetHeaderBytes(HeaderKind::CNP_RESERVED), 16);
    EXPECT_EQ(GetHeaderBytes(HeaderKind::IRN_SACK), 4);
    EXPECT_EQ(GetHeaderBytes(HeaderKind::SRNIC_META), 8);
    EXPECT_EQ(GetHeaderBytes(HeaderKind::SRNIC_WRITE), 8 + 4 + 8); // 58 + 20 are SRNIC's 78.
    EXPECT_EQ(GetHeaderBytes(HeaderKind::SRNIC_ECHO), 8);
}
