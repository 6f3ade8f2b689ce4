// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_DCP_FORMAT_H
#define RDMA_DCP_FORMAT_H

#include "ns3/wire-format.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-wire
 * @brief Frame sizes of DCP (SIGCOMM 2025): RoCE v2 with a message number of 3 bytes in each
 * packet, a RETH in each packet of a WRITE, and a send sequence number of 3 bytes in each packet
 * that consumes a receive request.
 *
 * A reader's notes of the paper have these headers, and the header that a switch leaves: Ethernet
 * 14, IPv4 20, UDP 8, BTH 12 and the message number, 57 bytes.  The size of the send sequence
 * number is ours (as that of the message number).  These are sizes only, without a layout, so that
 * such frames cannot be captured.  READ requests and atomics have the sizes of RoCE v2.
 *
 * Differences: a trimmed packet keeps its RETH and ICRC, 77 bytes for a WRITE, since a switch here
 * removes payload only; on its way back it has 57 bytes.
 */
class DcpFormat : public WireFormat
{
  public:
    static TypeId GetTypeId();
    HeaderList GetHeaders(uint8_t code) const override;
    uint32_t GetFixedBytes(uint8_t code) const override;
    uint8_t GetNackOpcode() const override;
};

} // namespace ns3::rdma

#endif // RDMA_DCP_FORMAT_H
