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

    /// @return bytes of a frame of this opcode without its payload, if the format is not that of
    /// RoCE v2 and has sizes only; such frames cannot be captured. 0: the common part and
    /// GetHeaders()
    virtual uint32_t GetFixedBytes(uint8_t code) const;
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

/**
 * @ingroup rdma-wire
 * @brief Frames as long as those of HPCC's simulator and of the SRNIC authors' fork of it.
 *
 * Data has 48 bytes of headers there (14 of a link header, IPv4 20, UDP 8, sequence number and
 * priority 6), and acknowledgments are padded to 60 bytes.  Nothing else takes time on their links:
 * the scenario's "framing" has to be "none".  These are sizes only, without a layout.  READ
 * requests and atomics, which that simulator does not have, are as long as in RoCE v2; payloads are
 * padded to four bytes as everywhere.
 */
class HpccFormat : public WireFormat
{
  public:
    static TypeId GetTypeId();
    HeaderList GetHeaders(uint8_t code) const override;
    uint32_t GetFixedBytes(uint8_t code) const override;

  private:
    uint32_t m_dataBytes{0};
    uint32_t m_answerBytes{0};
};

} // namespace ns3::rdma

#endif // RDMA_WIRE_FORMAT_H
