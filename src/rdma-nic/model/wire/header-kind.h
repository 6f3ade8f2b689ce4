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
    METH,           ///< MRC, 4 bytes: message sequence numbers.
    SETH,           ///< MRC, 28 bytes: cumulative and selective acknowledgment.
    CC_STATE,       ///< MRC, 8 bytes: time of sending, counters of the receiver.
    NETH,           ///< MRC, 20 bytes: a packet that is to be sent again, and why.
    PETH,           ///< MRC, 16 bytes: reliability probe.
    ERTH,           ///< MRC, 16 bytes: endpoint request, such as a port's status.
    EETH,           ///< MRC, 36 bytes: endpoint response.
    COUNT
};

/// Headers of one packet, in the order of the wire.
using HeaderList = boost::container::static_vector<HeaderKind, 4>;

} // namespace ns3::rdma

#endif // RDMA_HEADER_KIND_H
