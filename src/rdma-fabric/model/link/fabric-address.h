// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FABRIC_ADDRESS_H
#define RDMA_FABRIC_ADDRESS_H

#include "ns3/ipv4-address.h"
#include "ns3/ipv6-address.h"
#include "ns3/mac48-address.h"

#include <cstdint>
#include <optional>

namespace ns3::rdma
{

// An id is an endpoint id, or the node id of a switch.

/// @return 02:00 and the id in four bytes: a locally administered address (IEEE 802).
Mac48Address MakeMacAddress(uint32_t id);

/// @param id below 2^24 - 2
/// @return 10.0.0.0 plus id + 1, of the private network 10.0.0.0/8 (RFC 1918).
Ipv4Address MakeIpv4Address(uint32_t id);

/// @return fd00:: plus id + 1, of the unique local network fd00::/64 (RFC 4193).
Ipv6Address MakeIpv6Address(uint32_t id);

/// @return the id with this address; unset if there is none.
std::optional<uint32_t> FindEndpoint(const Mac48Address& address);
std::optional<uint32_t> FindEndpoint(const Ipv4Address& address);
std::optional<uint32_t> FindEndpoint(const Ipv6Address& address);

} // namespace ns3::rdma

#endif // RDMA_FABRIC_ADDRESS_H
