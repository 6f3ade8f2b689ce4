// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_WIRE_FORMAT_H
#define RDMA_WIRE_FORMAT_H

#include "ns3/header-kind.h"
#include "ns3/object.h"

namespace ns3::rdma
{

struct Frame;
struct HeaderLayout;

/**
 * @ingroup rdma-wire
 * @brief The headers that follow the BTH of each opcode.  A NIC design has one wire format.
 */
class WireFormat : public Object
{
  public:
    static TypeId GetTypeId();

    /// @param code BTH opcode; an opcode that is not registered has no headers
    virtual HeaderList GetHeaders(uint8_t code) const = 0;

    /// @return whether packets carry their position in the message (Frame::psnOffset instead of
    /// Frame::messageBytes).
    virtual bool HasPsnOffset() const;

    /// @return bytes of a frame of this opcode without its payload, for formats that have sizes
    /// only; such frames cannot be captured. 0: the size is the common part and GetHeaders()
    virtual uint32_t GetFixedBytes(uint8_t code) const;

    /// @return opcode of a report (Frame::IsReport()) on the wire. Default: ACK
    virtual uint8_t GetReportOpcode() const;

    /// @return the same of a report of a trimmed packet. Default: ACK
    virtual uint8_t GetNackOpcode() const;

    /// @return the same of a probe (FrameKind::PROBE). Default: RDMA WRITE Only
    virtual uint8_t GetProbeOpcode() const;

    /// @return fields that the format adds to the BTH; null, the default: none.
    virtual const HeaderLayout* GetBthExtension() const;

    /// Changes the fields of a copy of a frame from which the BTH is written. Default: nothing
    virtual void ToBth(Frame& frame) const;

    /// The reverse, after all headers were read.
    /// @param knownPsn of the frame, if it is known from elsewhere
    virtual void FromBth(Frame& frame, uint32_t knownPsn) const;
};

/// RoCE v2 as specified (IBTA Vol. 1, Table 38).
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
 * @brief SRNIC's packets (section 4.4.1): headers of 66 bytes for SEND and 78 for WRITE;
 * acknowledgments echo the metadata.
 *
 * The paper gives sizes and contents, not the layout.  Our layout: SSN and PSN offset, 8 bytes,
 * behind IBTA's headers of a SEND, a READ request or a READ response; on each packet of a WRITE the
 * address and key of a RETH, without its length, and the same 8 bytes; 8 bytes of echo behind the
 * AETH.
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
 * @brief Frame sizes of HPCC's simulator and of the SRNIC authors' fork of it.
 *
 * Data has 48 bytes of headers there (14 of a link header, IPv4 20, UDP 8, sequence number and
 * priority 6), and acknowledgments are padded to 60 bytes.  Their links have no further overhead:
 * the scenario's "framing" must be "none".  These are sizes only, without a layout.  READ requests
 * and atomics, which that simulator does not have, have the sizes of RoCE v2; payloads are padded
 * to a multiple of four bytes as in the other formats.
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
