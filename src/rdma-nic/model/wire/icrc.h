// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_ICRC_H
#define RDMA_ICRC_H

#include <cstddef>
#include <cstdint>

namespace ns3::rdma
{

/**
 * @ingroup rdma-wire
 * @brief Invariant CRC of a RoCE v2 packet (IBTA Vol. 1, Section 7.8.1, and Annex A17).
 *
 * CRC-32 of Ethernet over eight bytes of ones, in place of the local route header that RoCE does
 * not have, and the packet.  Fields that may change on the path are replaced by ones: type of
 * service, TTL and header checksum of IPv4; traffic class, flow label and hop limit of IPv6; the
 * UDP checksum; FECN, BECN and the reserved bits of the BTH.
 *
 * @param ip first byte of the IPv4 or IPv6 header
 * @param bytes from there to the last pad byte: at least up to the end of the BTH
 * @return the CRC; its least significant byte is sent first
 */
uint32_t ComputeIcrc(const uint8_t* ip, std::size_t bytes);

} // namespace ns3::rdma

#endif // RDMA_ICRC_H
