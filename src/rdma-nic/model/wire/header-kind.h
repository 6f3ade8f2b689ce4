// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_HEADER_KIND_H
#define RDMA_HEADER_KIND_H

#include <boost/container/static_vector.hpp>
#include <cstdint>

namespace ns3::rdma
{

/// Headers that may follow the BTH.
enum class HeaderKind : uint8_t
{
    RETH,           ///< 16 bytes: virtual address, R_Key, DMA length.
    IMM_DT,         ///< 4 bytes: immediate data.
    AETH,           ///< 4 bytes: syndrome, MSN.
    ATOMIC_ETH,     ///< 28 bytes: virtual address, R_Key, swap or add, compare.
    ATOMIC_ACK_ETH, ///< 8 bytes: original value.
    DETH,           ///< 8 bytes: queue key, source queue pair.
    CNP_RESERVED,   ///< 16 zero bytes.
    IRN_SACK,       ///< 4 bytes: the PSN that is acknowledged selectively.
    SRNIC_META,     ///< 8 bytes: SSN, PSN offset.
    SRNIC_WRITE,    ///< 20 bytes: virtual address, R_Key, SSN, PSN offset.
    SRNIC_ECHO,     ///< 8 bytes: PSN and PSN offset of the answered packet.
};

/// Headers of one packet, in the order of the wire.
using HeaderList = boost::container::static_vector<HeaderKind, 4>;

} // namespace ns3::rdma

#endif // RDMA_HEADER_KIND_H
