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

/// @return 02:00 and the node id in four bytes: an address of local administration (IEEE 802).
Mac48Address MakeMacAddress(uint32_t node);

/// @return 10.0.0.0 plus node + 1, of the private network 10.0.0.0/8 (RFC 1918). @param node below
/// 2^24 - 2
Ipv4Address MakeIpv4Address(uint32_t node);

/// @return fd00:: plus node + 1, of the unique local network fd00::/64 (RFC 4193).
Ipv6Address MakeIpv6Address(uint32_t node);

/// @return the node whose address this is; unset if it is no node's.
std::optional<uint32_t> FindNode(const Mac48Address& address);
std::optional<uint32_t> FindNode(const Ipv4Address& address);
std::optional<uint32_t> FindNode(const Ipv6Address& address);

} // namespace ns3::rdma

#endif // RDMA_FABRIC_ADDRESS_H
