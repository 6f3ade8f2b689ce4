// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_MRC_FORMAT_H
#define RDMA_MRC_FORMAT_H

#include "ns3/wire-format.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-wire
 * @brief MRC's packets: METH and RETH on each packet of a WRITE, SACK and NACK in place of
 * acknowledgments (MRC 1.0, Tables 7-12 to 7-22).
 *
 * Frames keep the opcodes of a reliable connection; the BTH has MRC's.  READ, SEND and atomics,
 * which MRC does not have, keep the opcodes and headers of RoCE v2.
 *
 * Not modelled: the optional TSETH; MSN of the METH, congestion control type and MPR of SETH and
 * NETH (all zero); probes, endpoint requests and responses have layouts, but no NIC sends them.
 *
 * Source: the tables as an independent test bench writes them, and Ultra Ethernet's numbers of NACK
 * reasons (docs/reference/wire.md).
 */
class MrcFormat : public WireFormat
{
  public:
    static TypeId GetTypeId();
    HeaderList GetHeaders(uint8_t code) const override;
    uint8_t GetReportOpcode() const override;
    uint8_t GetNackOpcode() const override;
    uint8_t GetProbeOpcode() const override;
    const HeaderLayout* GetBthExtension() const override;
    void ToBth(Frame& frame) const override;
    void FromBth(Frame& frame, uint32_t knownPsn) const override;
};

} // namespace ns3::rdma

#endif // RDMA_MRC_FORMAT_H
