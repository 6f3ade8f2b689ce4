// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ip-facts.h"

#include "ns3/boolean.h"
#include "ns3/fabric-address.h"
#include "ns3/global-value.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv6-header.h"

#include <array>
#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

constexpr uint16_t IPV4{0x0800};
constexpr uint16_t IPV6{0x86dd};
constexpr uint8_t TCP{6};
constexpr uint8_t UDP{17};
constexpr uint8_t ICMP{1};

/// What distinguishes the packets of these tests.
struct Sample
{
    uint32_t src{0};
    uint32_t dst{1};
    uint8_t protocol{TCP};
    uint16_t srcPort{1000};
    uint16_t dstPort{2000};
    Ipv4Header::EcnType ecn{Ipv4Header::ECN_NotECT};
    bool hasMoreFragments{false};
    uint16_t fragmentOffset{0}; ///< Bytes, of eight each.
    bool isIpv6{false};
};

/// @return the first bytes of a transport header: both ports, then payload.
Ptr<Packet>
MakePorts(const Sample& sample)
{
    const std::array<uint8_t, 8> bytes{static_cast<uint8_t>(sample.srcPort >> 8),
                                       static_cast<uint8_t>(sample.srcPort),
                                       static_cast<uint8_t>(sample.dstPort >> 8),
                                       static_cast<uint8_t>(sample.dstPort)};
    return Create<Packet>(bytes.data(), bytes.size());
}

Ptr<Packet>
MakePacket(const Sample& sample)
{
    Ptr<Packet> packet = MakePorts(sample);
    if (sample.isIpv6)
    {
        Ipv6Header header;
        header.SetSource(MakeIpv6Address(sample.src));
        header.SetDestination(MakeIpv6Address(sample.dst));
        header.SetNextHeader(sample.protocol);
        header.SetPayloadLength(static_cast<uint16_t>(packet->GetSize()));
        header.SetEcn(static_cast<Ipv6Header::EcnType>(sample.ecn));
        packet->AddHeader(header);
        return packet;
    }
    Ipv4Header header;
    header.SetSource(MakeIpv4Address(sample.src));
    header.SetDestination(MakeIpv4Address(sample.dst));
    header.SetProtocol(sample.protocol);
    header.SetPayloadSize(static_cast<uint16_t>(packet->GetSize()));
    header.SetEcn(sample.ecn);
    sample.hasMoreFragments ? header.SetMoreFragments() : header.SetLastFragment();
    header.SetFragmentOffset(sample.fragmentOffset);
    header.EnableChecksum();
    packet->AddHeader(header);
    return packet;
}

IpFacts
Read(const Sample& sample)
{
    return ReadIpFacts(*MakePacket(sample), sample.isIpv6 ? IPV6 : IPV4);
}

uint32_t
GetEntropy(const Sample& sample)
{
    return Read(sample).entropy;
}

Sample
MakeSample(uint8_t protocol, uint16_t srcPort, bool isIpv6)
{
    Sample sample;
    sample.protocol = protocol;
    sample.srcPort = srcPort;
    sample.isIpv6 = isIpv6;
    return sample;
}

/// Both versions of IP.
class EachIpVersion : public testing::TestWithParam<bool>
{
};

} // namespace

TEST_P(EachIpVersion, NamesTheDestination)
{
    Sample sample;
    sample.isIpv6 = GetParam();
    sample.dst = 4095;
    EXPECT_EQ(Read(sample).destination, 4095);
    EXPECT_TRUE(Read(sample).isUnicast);
}

TEST_P(EachIpVersion, IsEcnCapableUnlessTheFieldIsZero)
{
    Sample sample;
    sample.isIpv6 = GetParam();
    EXPECT_FALSE(Read(sample).isEcnCapable);
    for (const auto ecn : {Ipv4Header::ECN_ECT0, Ipv4Header::ECN_ECT1, Ipv4Header::ECN_CE})
    {
        sample.ecn = ecn;
        EXPECT_TRUE(Read(sample).isEcnCapable) << ecn;
    }
}

TEST_P(EachIpVersion, DistinguishesFlowsOfTcpAndUdpByTheirPorts)
{
    for (const uint8_t protocol : {TCP, UDP})
    {
        const uint32_t entropy = GetEntropy(MakeSample(protocol, 1000, GetParam()));
        EXPECT_EQ(GetEntropy(MakeSample(protocol, 1000, GetParam())), entropy);
        EXPECT_NE(GetEntropy(MakeSample(protocol, 1001, GetParam())), entropy);
        Sample other = MakeSample(protocol, 1000, GetParam());
        other.dstPort = 2001;
        EXPECT_NE(GetEntropy(other), entropy);
        other.dstPort = 2000;
        other.src = 7;
        EXPECT_NE(GetEntropy(other), entropy);
    }
    EXPECT_NE(GetEntropy(MakeSample(TCP, 1000, GetParam())),
              GetEntropy(MakeSample(UDP, 1000, GetParam())));
}

TEST_P(EachIpVersion, LooksForNoPortsInOtherProtocols)
{
    EXPECT_EQ(GetEntropy(MakeSample(ICMP, 1000, GetParam())),
              GetEntropy(MakeSample(ICMP, 1001, GetParam())));
}

TEST_P(EachIpVersion, MarksTheHeaderOfACopy)
{
    Sample sample;
    sample.isIpv6 = GetParam();
    sample.ecn = Ipv4Header::ECN_ECT0;
    const uint16_t protocol = GetParam() ? IPV6 : IPV4;
    const Ptr<Packet> packet = MakePacket(sample);
    const Ptr<Packet> marked = MarkCongestion(packet, protocol);
    EXPECT_EQ(marked->GetSize(), packet->GetSize());
    const auto readEcn = [](const Packet& from) -> int {
        Ipv4Header v4;
        Ipv6Header v6;
        return GetParam() ? (from.PeekHeader(v6), int{v6.GetEcn()})
                          : (from.PeekHeader(v4), int{v4.GetEcn()});
    };
    EXPECT_EQ(readEcn(*marked), Ipv4Header::ECN_CE);
    EXPECT_EQ(readEcn(*packet), Ipv4Header::ECN_ECT0);
}

INSTANTIATE_TEST_SUITE_P(IpFacts,
                         EachIpVersion,
                         testing::Bool(),
                         [](const testing::TestParamInfo<bool>& info) {
                             return info.param ? "Ipv6" : "Ipv4";
                         });

TEST(IpFacts, KeepsTheFragmentsOfAPacketOnOnePath)
{
    Sample first;
    first.hasMoreFragments = true;
    Sample last;
    last.fragmentOffset = 1480;
    last.srcPort = 77; // What stands there is payload.
    EXPECT_EQ(GetEntropy(first), GetEntropy(last));
}

TEST(IpFacts, FindsThePortsBehindTheHeaderAlone)
{
    // A packet that ends with its IP header has no ports: nothing else is read for them.
    Sample sample;
    Ptr<Packet> cut = MakePacket(sample)->CreateFragment(0, 20);
    EXPECT_NE(ReadIpFacts(*cut, IPV4).entropy, GetEntropy(sample));
    EXPECT_EQ(ReadIpFacts(*cut, IPV4).destination, 1);
}

TEST(IpFacts, OfGroupsAndForeignersHaveNoNode)
{
    Ptr<Packet> packet = Create<Packet>(8);
    Ipv4Header header;
    header.SetSource(MakeIpv4Address(0));
    for (const char* group : {"255.255.255.255", "10.255.255.255", "224.0.0.1"})
    {
        header.SetDestination(Ipv4Address(group));
        Ptr<Packet> copy = packet->Copy();
        copy->AddHeader(header);
        EXPECT_FALSE(ReadIpFacts(*copy, IPV4).isUnicast) << group;
        EXPECT_FALSE(ReadIpFacts(*copy, IPV4).destination) << group;
    }
    header.SetDestination(Ipv4Address("192.0.2.1"));
    packet->AddHeader(header);
    EXPECT_TRUE(ReadIpFacts(*packet, IPV4).isUnicast);
    EXPECT_FALSE(ReadIpFacts(*packet, IPV4).destination);
}

TEST(IpFacts, KnowNothingOfOtherProtocols)
{
    const IpFacts facts = ReadIpFacts(Packet(100), 0x0806);
    EXPECT_FALSE(facts.destination);
    EXPECT_FALSE(facts.isUnicast);
    const Ptr<Packet> packet = Create<Packet>(100);
    EXPECT_EQ(MarkCongestion(packet, 0x0806), packet);
}

TEST(IpFacts, MarkedHeadersHaveAChecksumWhereTheSimulationHasThem)
{
    GlobalValue::Bind("ChecksumEnabled", BooleanValue(true));
    Sample sample;
    sample.ecn = Ipv4Header::ECN_ECT0;
    const Ptr<Packet> marked = MarkCongestion(MakePacket(sample), IPV4);
    Ipv4Header header;
    header.EnableChecksum();
    marked->RemoveHeader(header);
    EXPECT_TRUE(header.IsChecksumOk());
    GlobalValue::Bind("ChecksumEnabled", BooleanValue(false));
}
