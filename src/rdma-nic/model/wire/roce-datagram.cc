// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/roce-datagram.h"

#include "ns3/abort.h"
#include "ns3/fabric-address.h"
#include "ns3/protocol-numbers.h"
#include "ns3/udp-source-port.h"

#include <algorithm>
#include <boost/endian/conversion.hpp>

namespace ns3::rdma
{

namespace
{
constexpr std::size_t IPV4_BYTES{20};
constexpr std::size_t IPV6_BYTES{40};
constexpr std::size_t SHORTEST_ETHERNET{60}; ///< Without FCS; shorter frames are padded.
constexpr uint8_t HOPS{64};
constexpr uint16_t DO_NOT_FRAGMENT{0x4000};

using boost::endian::load_big_u16;
using boost::endian::load_big_u32;
using boost::endian::store_big_u16;
using boost::endian::store_big_u32;

/// @return the one's complement sum of RFC 1071: 0 over a header whose checksum is right.
uint16_t
ComputeChecksum(const uint8_t* header)
{
    uint32_t sum = 0;
    for (std::size_t i = 0; i < IPV4_BYTES; i += 2)
    {
        sum += load_big_u16(header + i);
    }
    sum = (sum & 0xffff) + (sum >> 16);
    sum = (sum & 0xffff) + (sum >> 16);
    return static_cast<uint16_t>(~sum);
}

void
WriteIpv4(uint8_t* ip, const RoceDatagram& datagram, std::size_t udpBytes)
{
    ip[0] = 0x45; // Version 4, five words.
    ip[1] = datagram.trafficClass;
    store_big_u16(ip + 2, static_cast<uint16_t>(IPV4_BYTES + udpBytes));
    store_big_u16(ip + 6, DO_NOT_FRAGMENT);
    ip[8] = HOPS;
    ip[9] = UDP_PROTOCOL;
    MakeIpv4Address(datagram.src).Serialize(ip + 12);
    MakeIpv4Address(datagram.dst).Serialize(ip + 16);
    store_big_u16(ip + 10, ComputeChecksum(ip));
}

void
WriteIpv6(uint8_t* ip, const RoceDatagram& datagram, std::size_t udpBytes)
{
    store_big_u32(ip, 6U << 28 | uint32_t{datagram.trafficClass} << 20);
    store_big_u16(ip + 4, static_cast<uint16_t>(udpBytes));
    ip[6] = UDP_PROTOCOL;
    ip[7] = HOPS;
    MakeIpv6Address(datagram.src).Serialize(ip + 8);
    MakeIpv6Address(datagram.dst).Serialize(ip + 24);
}

/// Fields of an IP header.
struct IpHeaderFields
{
    std::optional<uint32_t> src;
    std::optional<uint32_t> dst;
    uint8_t trafficClass;
    std::size_t udpBytes;
};

std::optional<IpHeaderFields>
ReadIpv4(const uint8_t* ip)
{
    const uint16_t total = load_big_u16(ip + 2);
    const bool isFragment = (load_big_u16(ip + 6) & ~DO_NOT_FRAGMENT) != 0;
    if (ip[0] != 0x45 || total < IPV4_BYTES || isFragment || ip[9] != UDP_PROTOCOL ||
        ComputeChecksum(ip) != 0)
    {
        return std::nullopt;
    }
    return IpHeaderFields{FindEndpoint(Ipv4Address::Deserialize(ip + 12)),
                          FindEndpoint(Ipv4Address::Deserialize(ip + 16)),
                          ip[1],
                          total - IPV4_BYTES};
}

std::optional<IpHeaderFields>
ReadIpv6(const uint8_t* ip)
{
    const uint32_t word = load_big_u32(ip);
    if (word >> 28 != 6 || ip[6] != UDP_PROTOCOL)
    {
        return std::nullopt;
    }
    return IpHeaderFields{FindEndpoint(Ipv6Address::Deserialize(ip + 8)),
                          FindEndpoint(Ipv6Address::Deserialize(ip + 24)),
                          static_cast<uint8_t>(word >> 20),
                          load_big_u16(ip + 4)};
}
} // namespace

std::size_t
RoceDatagram::GetBytes(IpVersion version)
{
    return ETHERNET_BYTES + (version == IpVersion::V4 ? IPV4_BYTES : IPV6_BYTES) + UDP_BYTES;
}

std::vector<uint8_t>
RoceDatagram::Serialize(std::size_t udpPayloadBytes) const
{
    const bool isIpv4 = version == IpVersion::V4;
    NS_ABORT_MSG_IF(isIpv4 && std::max(src, dst) >= MAX_IPV4_NODE,
                    "node " << std::max(src, dst) << " has no address in 10.0.0.0/8");
    std::vector<uint8_t> bytes(GetBytes(version), 0);
    MakeMacAddress(dst).CopyTo(&bytes[0]);
    MakeMacAddress(src).CopyTo(&bytes[6]);
    store_big_u16(&bytes[12], isIpv4 ? IPV4_ETHERTYPE : IPV6_ETHERTYPE);

    const std::size_t udpBytes = UDP_BYTES + udpPayloadBytes;
    (isIpv4 ? WriteIpv4 : WriteIpv6)(&bytes[ETHERNET_BYTES], *this, udpBytes);

    uint8_t* const udp = &bytes[bytes.size() - UDP_BYTES];
    store_big_u16(udp, sourcePort);
    store_big_u16(udp + 2, ROCE_UDP_PORT);
    store_big_u16(udp + 4, static_cast<uint16_t>(udpBytes));
    return bytes;
}

std::optional<RoceDatagram::Parsed>
RoceDatagram::Parse(IpVersion version, const uint8_t* frame, std::size_t bytes)
{
    const bool isIpv4 = version == IpVersion::V4;
    if (bytes < GetBytes(version) ||
        load_big_u16(frame + 12) != (isIpv4 ? IPV4_ETHERTYPE : IPV6_ETHERTYPE))
    {
        return std::nullopt;
    }
    const auto facts = (isIpv4 ? ReadIpv4 : ReadIpv6)(frame + ETHERNET_BYTES);
    if (!facts || !facts->src || !facts->dst)
    {
        return std::nullopt;
    }
    const uint8_t* const udp = frame + GetBytes(version) - UDP_BYTES;
    const std::size_t frameBytes = GetBytes(version) - UDP_BYTES + facts->udpBytes;
    const bool isWhole =
        facts->udpBytes >= UDP_BYTES && load_big_u16(udp + 4) == facts->udpBytes &&
        (frameBytes == bytes || (frameBytes < bytes && bytes == SHORTEST_ETHERNET));
    if (!isWhole || load_big_u16(udp + 2) != ROCE_UDP_PORT)
    {
        return std::nullopt;
    }
    return Parsed{{version, *facts->src, *facts->dst, facts->trafficClass, load_big_u16(udp)},
                  frameBytes};
}

} // namespace ns3::rdma
