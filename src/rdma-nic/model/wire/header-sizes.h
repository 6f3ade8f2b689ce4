// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_HEADER_SIZES_H
#define RDMA_HEADER_SIZES_H

#include <cstdint>

namespace ns3::rdma
{

/**
 * @ingroup rdma-wire
 * @brief How long a NIC's packets are on the wire, in bytes.
 *
 * Common part 58: Ethernet 14, IPv4 20, UDP 8, BTH 12, ICRC 4 (SRNIC section 4.4.1 counts the same
 * 58). The FCS belongs to the link.  What designs add differs in the three fields.
 */
struct HeaderSizes
{
    static constexpr uint32_t COMMON{14 + 20 + 8 + 12 + 4};
    static constexpr uint32_t RETH{16};
    static constexpr uint32_t AETH{4};
    static constexpr uint32_t CNP_RESERVED{16};

    uint32_t firstWrite{RETH}; ///< Beyond COMMON on the first or only packet of a WRITE.
    uint32_t nextWrite{0};     ///< Beyond COMMON on the others.
    uint32_t ack{AETH};        ///< Beyond COMMON on an acknowledgment.

    /// @return frame bytes without FCS; the payload is padded to four (IBTA Vol. 1, Section 9.2).
    constexpr uint32_t GetWriteFrame(bool isFirst, uint32_t payloadBytes) const
    {
        return COMMON + (isFirst ? firstWrite : nextWrite) + ((payloadBytes + 3) & ~3U);
    }

    constexpr uint32_t GetAckFrame() const
    {
        return COMMON + ack;
    }

    static constexpr uint32_t GetCnpFrame()
    {
        return COMMON + CNP_RESERVED;
    }
};

} // namespace ns3::rdma

#endif // RDMA_HEADER_SIZES_H
