// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_WIRE_FORMAT_H
#define RDMA_WIRE_FORMAT_H

#include "ns3/header-kind.h"
#include "ns3/object.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-wire
 * @brief Which headers follow the BTH of each opcode.  A NIC design has one.
 */
class WireFormat : public Object
{
  public:
    static TypeId GetTypeId();

    /// @param code BTH opcode; one without an entry has no headers
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
