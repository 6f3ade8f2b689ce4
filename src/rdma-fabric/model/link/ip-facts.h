// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_IP_FACTS_H
#define RDMA_IP_FACTS_H

#include "ns3/packet.h"

#include <cstdint>
#include <optional>

namespace ns3::rdma
{

/// Properties of an IP packet that a fabric needs to carry it.
struct IpFacts
{
    std::optional<uint32_t> destination; ///< Endpoint id; unset if no endpoint has the address.
    uint32_t entropy{0};                 ///< Hash of the 5-tuple, or of its known parts.
    bool isEcnCapable{false};            ///< The ECN field is ECT(0), ECT(1) or CE.
    bool isUnicast{false};               ///< An IP packet for one host.
};

/**
 * @brief Reads the headers of a packet.
 *
 * The entropy depends on the ports of TCP and UDP, so that two flows may take two paths.  It does
 * not for fragments: only the first fragment has ports, and all must take one path.
 *
 * @param packet from the network header on
 * @param protocol EtherType; for all but IPv4 and IPv6 the result has default values
 */
IpFacts ReadIpFacts(const Packet& packet, uint16_t protocol);

/// @return a copy of the packet with CE in the ECN field of its IP header; the packet itself if it
/// has no IP header.
Ptr<Packet> MarkCongestion(Ptr<Packet> packet, uint16_t protocol);

} // namespace ns3::rdma

#endif // RDMA_IP_FACTS_H
