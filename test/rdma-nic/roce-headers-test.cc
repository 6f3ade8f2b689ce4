// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/aeth-header.h"
#include "ns3/atomic-ack-eth-header.h"
#include "ns3/atomic-eth-header.h"
#include "ns3/bth-header.h"
#include "ns3/cnp-header.h"
#include "ns3/deth-header.h"
#include "ns3/imm-dt-header.h"
#include "ns3/irn-sack-header.h"
#include "ns3/packet.h"
#include "ns3/reth-header.h"
#include "ns3/srnic-headers.h"
#include "ns3/wire-format.h"

#include <gtest/gtest.h>
#include <sstream>
#include <vector>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
using Bytes = std::vector<uint8_t>;

template <typename HeaderType>
Bytes
ToBytes(const HeaderType& header)
{
    auto packet = Create<Packet>();
    packet->AddHeader(header);
    Bytes bytes(packet->GetSize());
    packet->CopyData(bytes.data(), packet->GetSize());
    return bytes;
}

template <typename HeaderType>
HeaderType
FromBytes(const Bytes& bytes)
{
    auto packet = Create<Packet>(bytes.data(), static_cast<uint32_t>(bytes.size()));
    HeaderType header;
    EXPECT_EQ(packet->RemoveHeader(header), HeaderType::SIZE);
    EXPECT_EQ(packet->GetSize(), bytes.size() - HeaderType::SIZE);
    return header;
}

/// Every bit of these bytes must survive: no field is lost, none is moved.
template <typename HeaderType>
void
ExpectBitsSurvive(const Bytes& reserved)
{
    for (std::size_t bit = 0; bit < HeaderType::SIZE * 8; ++bit)
    {
        Bytes bytes(HeaderType::SIZE, 0);
        bytes[bit / 8] = static_cast<uint8_t>(0x80 >> bit % 8);
        Bytes expected = bytes;
        expected[bit / 8] &= static_cast<uint8_t>(~reserved[bit / 8]);
        EXPECT_EQ(ToBytes(FromBytes<HeaderType>(bytes)), expected)
            << HeaderType::GetTypeId().GetName() << ", bit " << bit;
    }
}

template <typename HeaderType>
std::string
Print(const HeaderType& header)
{
    std::ostringstream text;
    header.Print(text);
    return text.str();
}
} // namespace

TEST(BthHeader, HasTheLayoutOfTheSpecification)
{
    BthHeader bth;
    bth.opcode = 0x2a; // UC RDMA WRITE Only.
    bth.isSolicited = true;
    bth.padCount = 2;
    bth.isBecn = true;
    bth.destQp = 0x123456;
    bth.isAckRequested = true;
    bth.psn = 0xabcdef;
    // Opcode | SE 1, M 0, pad 10, TVer 0000 | P_Key | F 0, B 1 | QP | A 1 | PSN.
    const Bytes expected{0x2a, 0xa0, 0xff, 0xff, 0x40, 0x12, 0x34, 0x56, 0x80, 0xab, 0xcd, 0xef};
    EXPECT_EQ(ToBytes(bth), expected);
    const auto read = FromBytes<BthHeader>(expected);
    EXPECT_EQ(read.opcode, 0x2a);
    EXPECT_TRUE(read.isSolicited);
    EXPECT_FALSE(read.isMigrated);
    EXPECT_EQ(read.padCount, 2);
    EXPECT_EQ(read.version, 0);
    EXPECT_EQ(read.partitionKey, 0xffff);
    EXPECT_FALSE(read.isFecn);
    EXPECT_TRUE(read.isBecn);
    EXPECT_EQ(read.destQp, 0x123456);
    EXPECT_TRUE(read.isAckRequested);
    EXPECT_EQ(read.psn, 0xabcdef);
}

TEST(BthHeader, PrintsTheNameOfItsOpcode)
{
    BthHeader bth;
    bth.opcode = 0x81;
    bth.destQp = 7;
    bth.isBecn = true;
    EXPECT_EQ(Print(bth), "CNP to QP 7 PSN 0 pad 0 BECN");
}

TEST(RethHeader, HasTheLayoutOfTheSpecification)
{
    RethHeader reth;
    reth.virtualAddress = 0x0102030405060708;
    reth.remoteKey = 0x11121314;
    reth.dmaLength = 0x21222324;
    const Bytes expected{0x01,
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
                         0x24}; // DMA length.
    EXPECT_EQ(ToBytes(reth), expected);
    const auto read = FromBytes<RethHeader>(expected);
    EXPECT_EQ(read.virtualAddress, reth.virtualAddress);
    EXPECT_EQ(read.remoteKey, reth.remoteKey);
    EXPECT_EQ(read.dmaLength, reth.dmaLength);
}

TEST(AethHeader, HasTheLayoutOfTheSpecification)
{
    AethHeader aeth;
    aeth.syndrome = 0x61; // NAK, invalid request.
    aeth.msn = 0x010203;
    EXPECT_EQ(ToBytes(aeth), (Bytes{0x61, 0x01, 0x02, 0x03}));
    const auto read = FromBytes<AethHeader>({0x61, 0x01, 0x02, 0x03});
    EXPECT_EQ(read.syndrome, 0x61);
    EXPECT_EQ(read.msn, 0x010203);
}

TEST(ImmDtHeader, SendsTheMostSignificantByteFirst)
{
    ImmDtHeader header;
    header.immediate = 0x01020304;
    EXPECT_EQ(ToBytes(header), (Bytes{0x01, 0x02, 0x03, 0x04}));
    EXPECT_EQ(FromBytes<ImmDtHeader>({0x01, 0x02, 0x03, 0x04}).immediate, 0x01020304);
}

TEST(AtomicEthHeader, HasTheLayoutOfTheSpecification)
{
    AtomicEthHeader header;
    header.virtualAddress = 0x0102030405060708;
    header.remoteKey = 0x11121314;
    header.swapAdd = 0x2122232425262728;
    header.compare = 0x3132333435363738;
    const Bytes expected{0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, // Virtual address.
                         0x11, 0x12, 0x13, 0x14,                         // R_Key.
                         0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x27, 0x28, // Swap or add.
                         0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38};
    EXPECT_EQ(ToBytes(header), expected);
    const auto read = FromBytes<AtomicEthHeader>(expected);
    EXPECT_EQ(read.virtualAddress, header.virtualAddress);
    EXPECT_EQ(read.remoteKey, header.remoteKey);
    EXPECT_EQ(read.swapAdd, header.swapAdd);
    EXPECT_EQ(read.compare, header.compare);
}

TEST(AtomicAckEthHeader, HoldsTheOriginalValue)
{
    AtomicAckEthHeader header;
    header.original = 0x0102030405060708;
    const Bytes expected{0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08};
    EXPECT_EQ(ToBytes(header), expected);
    EXPECT_EQ(FromBytes<AtomicAckEthHeader>(expected).original, header.original);
}

TEST(DethHeader, HasTheLayoutOfTheSpecification)
{
    DethHeader header;
    header.queueKey = 0x11111111;
    header.sourceQp = 0x123456;
    const Bytes expected{0x11, 0x11, 0x11, 0x11, 0x00, 0x12, 0x34, 0x56};
    EXPECT_EQ(ToBytes(header), expected);
    const auto read = FromBytes<DethHeader>(expected);
    EXPECT_EQ(read.queueKey, 0x11111111);
    EXPECT_EQ(read.sourceQp, 0x123456);
}

TEST(CnpHeader, IsSixteenZeros)
{
    EXPECT_EQ(ToBytes(CnpHeader()), Bytes(16, 0));
}

TEST(IrnSackHeader, HasAValidBitAboveThePsn)
{
    IrnSackHeader header;
    header.isValid = true;
    header.psn = 0x010203;
    EXPECT_EQ(ToBytes(header), (Bytes{0x80, 0x01, 0x02, 0x03}));
    const auto read = FromBytes<IrnSackHeader>({0x80, 0x01, 0x02, 0x03});
    EXPECT_TRUE(read.isValid);
    EXPECT_EQ(read.psn, 0x010203);
    EXPECT_FALSE(FromBytes<IrnSackHeader>({0x00, 0x01, 0x02, 0x03}).isValid);
}

TEST(SrnicHeaders, HaveTheLayoutOfTheirDocumentation)
{
    SrnicMetaHeader meta;
    meta.ssn = 0x010203;
    meta.psnOffset = 0x11121314;
    EXPECT_EQ(ToBytes(meta), (Bytes{0x00, 0x01, 0x02, 0x03, 0x11, 0x12, 0x13, 0x14}));

    SrnicWriteHeader write;
    write.virtualAddress = 0x2122232425262728;
    write.remoteKey = 0x31323334;
    write.ssn = 0x010203;
    write.psnOffset = 0x11121314;
    EXPECT_EQ(ToBytes(write), (Bytes{0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x27, 0x28, 0x31, 0x32,
                                     0x33, 0x34, 0x00, 0x01, 0x02, 0x03, 0x11, 0x12, 0x13, 0x14}));

    SrnicEchoHeader echo;
    echo.isValid = true;
    echo.psn = 0x010203;
    echo.psnOffset = 0x11121314;
    EXPECT_EQ(ToBytes(echo), (Bytes{0x80, 0x01, 0x02, 0x03, 0x11, 0x12, 0x13, 0x14}));
}

TEST(RoceHeaders, KeepEveryBitThatIsNotReserved)
{
    ExpectBitsSurvive<BthHeader>({0, 0, 0, 0, 0x3f, 0, 0, 0, 0x7f, 0, 0, 0});
    ExpectBitsSurvive<RethHeader>(Bytes(16, 0));
    ExpectBitsSurvive<AethHeader>(Bytes(4, 0));
    ExpectBitsSurvive<ImmDtHeader>(Bytes(4, 0));
    ExpectBitsSurvive<AtomicEthHeader>(Bytes(28, 0));
    ExpectBitsSurvive<AtomicAckEthHeader>(Bytes(8, 0));
    ExpectBitsSurvive<DethHeader>({0, 0, 0, 0, 0xff, 0, 0, 0});
    ExpectBitsSurvive<CnpHeader>(Bytes(16, 0xff));
    ExpectBitsSurvive<IrnSackHeader>({0x7f, 0, 0, 0});
    ExpectBitsSurvive<SrnicMetaHeader>({0xff, 0, 0, 0, 0, 0, 0, 0});
    Bytes write(20, 0);
    write[12] = 0xff; // Above the SSN.
    ExpectBitsSurvive<SrnicWriteHeader>(write);
    ExpectBitsSurvive<SrnicEchoHeader>({0x7f, 0, 0, 0, 0, 0, 0, 0});
}

TEST(RoceHeaders, AreAsLongAsTheWireFormatSays)
{
    EXPECT_EQ(BthHeader::SIZE, 12);
    EXPECT_EQ(RethHeader::SIZE, GetHeaderBytes(HeaderKind::RETH));
    EXPECT_EQ(AethHeader::SIZE, GetHeaderBytes(HeaderKind::AETH));
    EXPECT_EQ(ImmDtHeader::SIZE, GetHeaderBytes(HeaderKind::IMM_DT));
    EXPECT_EQ(AtomicEthHeader::SIZE, GetHeaderBytes(HeaderKind::ATOMIC_ETH));
    EXPECT_EQ(AtomicAckEthHeader::SIZE, GetHeaderBytes(HeaderKind::ATOMIC_ACK_ETH));
    EXPECT_EQ(DethHeader::SIZE, GetHeaderBytes(HeaderKind::DETH));
    EXPECT_EQ(CnpHeader::SIZE, GetHeaderBytes(HeaderKind::CNP_RESERVED));
    EXPECT_EQ(IrnSackHeader::SIZE, GetHeaderBytes(HeaderKind::IRN_SACK));
    EXPECT_EQ(SrnicMetaHeader::SIZE, GetHeaderBytes(HeaderKind::SRNIC_META));
    EXPECT_EQ(SrnicWriteHeader::SIZE, GetHeaderBytes(HeaderKind::SRNIC_WRITE));
    EXPECT_EQ(SrnicEchoHeader::SIZE, GetHeaderBytes(HeaderKind::SRNIC_ECHO));
}

TEST(RoceHeaders, AreKnownByName)
{
    for (const std::string name : {"Bth",
                                   "Reth",
                                   "Aeth",
                                   "ImmDt",
                                   "AtomicEth",
                                   "AtomicAckEth",
                                   "Deth",
                                   "Cnp",
                                   "IrnSack",
                                   "SrnicMeta",
                                   "SrnicWrite"})
    {
        EXPECT_TRUE(TypeId::LookupByName("ns3::rdma::" + name + "Header").HasConstructor()) << name;
    }
}
