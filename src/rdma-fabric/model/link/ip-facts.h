// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_IP_FACTS_H
#define RDMA_IP_FACTS_H

#include "ns3/packet.h"

#include <cstdint>
#include <optional>

namespace ns3::rdma
{

/// What a fabric needs of an IP packet to carry it.
struct IpFacts
{
    std::optional<uint32_t> destination; ///< Endpoint id; unset if it is none's address.
    uint32_t entropy{0};                 ///< Of the 5-tuple, or of what there is of it.
    bool isEcnCapable{false};            ///< The ECN field says ECT(0), ECT(1) or CE.
    bool isUnicast{false};               ///< An IP packet for one host.
};

/**
 * @brief Reads the headers of a packet.
 *
 * The ports of TCP and UDP count for the entropy, so that two flows may take two paths, except in
 * fragments: only the first one has them, and all must take one path.
 *
 * @param packet from the network header on
 * @param protocol EtherType; of others than IPv4 and IPv6 nothing is known
 */
IpFacts ReadIpFacts(const Packet& packet, uint16_t protocol);

/// @return the packet with CE in the ECN field of its IP header, and what was given if it has none.
Ptr<Packet> MarkCongestion(Ptr<Packet> packet, uint16_t protocol);

} // namespace ns3::rdma

#endif // RDMA_IP_FACTS_H
