// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_WIRE_FORMAT_H
#define RDMA_WIRE_FORMAT_H

#include "ns3/object.h"

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
    SRNIC_ECHO,     ///< 8 bytes: PSN and PSN offset of the packet that is answered.
};

/// @return bytes on the wire.
constexpr uint32_t
GetHeaderBytes(HeaderKind kind)
{
    switch (kind)
    {
    case HeaderKind::RETH:
    case HeaderKind::CNP_RESERVED:
        return 16;
    case HeaderKind::ATOMIC_ETH:
        return 28;
    case HeaderKind::SRNIC_WRITE:
        return 20;
    case HeaderKind::IMM_DT:
    case HeaderKind::AETH:
    case HeaderKind::IRN_SACK:
        return 4;
    default:
        return 8;
    }
}

/// Headers of one packet, in the order of the wire.
using HeaderList = boost::container::static_vector<HeaderKind, 4>;

/**
 * @ingroup rdma-wire
 * @brief Which headers follow the BTH of each opcode.  A NIC design has one.
 */
class WireFormat : public Object
{
  public:
    static TypeId GetTypeId();

    /// @param code BTH opcode; one that no format knows has no headers
    virtual HeaderList GetHeaders(uint8_t code) const = 0;

    /// @return whether packets say their place in the message (Frame::psnOffset instead of
    /// Frame::messageBytes).
    virtual bool HasPsnOffset() const;
};

/// RoCE v2 as the specification has it (IBTA Vol. 1, Table 38).
class IbtaFormat : public WireFormat
{
  public:
    static TypeId GetTypeId();
    HeaderList GetHeaders(uint8_t code) const override;
};

/**
 * @ingroup rdma-wire
 * @brief IRN's packets: a RETH on each packet of a WRITE, the selective PSN on each acknowledgment
 * (Mittal et al. 2018, sections 5.2 and 5.3).
 */
class IrnFormat : public WireFormat
{
  public:
    static TypeId GetTypeId();
    HeaderList GetHeaders(uint8_t code) const override;
};

/**
 * @ingroup rdma-wire
 * @brief SRNIC's packets (section 4.4.1): SEND 66 and WRITE 78 bytes of headers, metadata echoed.
 *
 * The paper gives sizes and contents, not the layout.  Ours: SSN and PSN offset, 8 bytes, behind
 * what a SEND, a READ request or a READ response has anyway; on each packet of a WRITE the address
 * and key of a RETH, without its length, and the same 8 bytes; 8 bytes of echo behind the AETH.
 */
class SrnicFormat : public WireFormat
{
  public:
    static TypeId GetTypeId();
    HeaderList GetHeaders(uint8_t code) const override;
    bool HasPsnOffset() const override;
};

} // namespace ns3::rdma

#endif // RDMA_WIRE_FORMAT_H
