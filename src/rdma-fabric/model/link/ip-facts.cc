// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ip-facts.h"

#include "ns3/fabric-address.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv6-header.h"
#include "ns3/node.h"
#include "ns3/protocol-numbers.h"
#include "ns3/random-stream.h"

#include <array>

namespace ns3::rdma
{

namespace
{
/// @return a hash combined with a number.
uint64_t
Mix(uint64_t hash, uint64_t value)
{
    return RandomStream::Scramble(hash + 0x9e3779b97f4a7c15ULL + value);
}

/// @return a hash combined with an IPv6 address.
uint64_t
Mix(uint64_t hash, const Ipv6Address& address)
{
    std::array<uint8_t, 16> bytes;
    address.GetBytes(bytes.data());
    for (const uint8_t byte : bytes)
    {
        hash = Mix(hash, byte);
    }
    return hash;
}

/// @return a hash combined with the protocol and, for TCP and UDP, with both ports.
/// @param headerBytes of the IP header, after which the ports begin
uint64_t
MixTransport(uint64_t hash, const Packet& packet, uint32_t headerBytes, uint8_t protocol)
{
    hash = Mix(hash, protocol);
    constexpr uint32_t PORTS_BYTES{4};
    if (protocol == TCP_PROTOCOL || protocol == UDP_PROTOCOL)
    {
        // At most 60 bytes of IPv4 header with options.
        std::array<uint8_t, 64> bytes{};
        const uint32_t copied = packet.CopyData(bytes.data(), headerBytes + PORTS_BYTES);
        for (uint32_t i = headerBytes; i < copied; ++i)
        {
            hash = Mix(hash, bytes[i]);
        }
    }
    return hash;
}

IpFacts
ReadIpv4(const Packet& packet)
{
    Ipv4Header header;
    const uint32_t headerBytes = packet.PeekHeader(header);
    const Ipv4Address destination = header.GetDestination();
    IpFacts facts;
    facts.destination = FindEndpoint(destination);
    facts.isUnicast = !destination.IsBroadcast() && !destination.IsMulticast() &&
                      !destination.IsSubnetDirectedBroadcast(Ipv4Mask("/8"));
    facts.isEcnCapable = header.GetEcn() != Ipv4Header::ECN_NotECT;
    uint64_t hash = Mix(header.GetSource().Get(), destination.Get());
    const bool isFragment = !header.IsLastFragment() || header.GetFragmentOffset() != 0;
    hash = isFragment ? Mix(hash, header.GetProtocol())
                      : MixTransport(hash, packet, headerBytes, header.GetProtocol());
    facts.entropy = static_cast<uint32_t>(hash);
    return facts;
}

IpFacts
ReadIpv6(const Packet& packet)
{
    Ipv6Header header;
    const uint32_t headerBytes = packet.PeekHeader(header);
    IpFacts facts;
    facts.destination = FindEndpoint(header.GetDestination());
    facts.isUnicast = !header.GetDestination().IsMulticast();
    facts.isEcnCapable = header.GetEcn() != Ipv6Header::ECN_NotECT;
    const uint64_t hash = Mix(Mix(0, header.GetSource()), header.GetDestination());
    // The next header of a fragment is the fragment header, so that no ports are read.
    facts.entropy =
        static_cast<uint32_t>(MixTransport(hash, packet, headerBytes, header.GetNextHeader()));
    return facts;
}
} // namespace

IpFacts
ReadIpFacts(const Packet& packet, uint16_t protocol)
{
    if (protocol == IPV4_ETHERTYPE)
    {
        return ReadIpv4(packet);
    }
    return protocol == IPV6_ETHERTYPE ? ReadIpv6(packet) : IpFacts{};
}

Ptr<Packet>
MarkCongestion(Ptr<Packet> packet, uint16_t protocol)
{
    // A copy, since a trace sink or a link's duplicate may refer to the same packet.
    Ptr<Packet> marked = packet->Copy();
    if (protocol == IPV4_ETHERTYPE)
    {
        Ipv4Header header;
        marked->RemoveHeader(header);
        header.SetEcn(Ipv4Header::ECN_CE);
        if (Node::ChecksumEnabled())
        {
            header.EnableChecksum();
        }
        marked->AddHeader(header);
        return marked;
    }
    if (protocol == IPV6_ETHERTYPE)
    {
        Ipv6Header header;
        marked->RemoveHeader(header);
        header.SetEcn(Ipv6Header::ECN_CE);
        marked->AddHeader(header);
        return marked;
    }
    return packet;
}

} // namespace ns3::rdma
