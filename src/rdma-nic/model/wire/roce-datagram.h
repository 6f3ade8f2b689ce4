// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_ROCE_DATAGRAM_H
#define RDMA_ROCE_DATAGRAM_H

#include "ns3/header-sizes.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-wire
 * @brief The variable fields of the headers below the BTH: Ethernet II, IPv4 or IPv6, and UDP.
 *
 * Addresses follow from node ids: see fabric-address.h.
 * Constant: TTL and hop limit 64, identification 0 with DF, flow label 0, UDP checksum 0.
 */
struct RoceDatagram
{
    IpVersion version{IpVersion::V4};
    uint32_t src{0};         ///< Node id, below MAX_IPV4_NODE if IPv4.
    uint32_t dst{0};         ///< Node id, below MAX_IPV4_NODE if IPv4.
    uint8_t trafficClass{0}; ///< DSCP and ECN.
    uint16_t sourcePort{0};  ///< Of UDP.

    /// Number of nodes that 10.0.0.0/8 has addresses for.
    static constexpr uint32_t MAX_IPV4_NODE{(1U << 24) - 2};
    static constexpr std::size_t ETHERNET_BYTES{14};
    static constexpr std::size_t UDP_BYTES{8};

    /// @return bytes of all three headers.
    static std::size_t GetBytes(IpVersion version);

    /// @return the headers of a datagram with this number of bytes behind the UDP header.
    std::vector<uint8_t> Serialize(std::size_t udpPayloadBytes) const;

    /// Result of Parse().
    struct Parsed;

    /**
     * @return unset unless the bytes are a complete, unfragmented UDP datagram of that IP version
     * to port 4791 between addresses of nodes, with valid lengths and IPv4 checksum. MAC addresses,
     * TTL and the UDP checksum are ignored (Annex A17 has the ICRC instead).
     */
    static std::optional<Parsed> Parse(IpVersion version, const uint8_t* frame, std::size_t bytes);
};

struct RoceDatagram::Parsed
{
    RoceDatagram datagram;
    std::size_t frameBytes{0}; ///< Without Ethernet's padding to 60 bytes.
};

} // namespace ns3::rdma

#endif // RDMA_ROCE_DATAGRAM_H
