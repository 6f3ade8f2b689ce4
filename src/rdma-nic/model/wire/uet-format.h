// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_UET_FORMAT_H
#define RDMA_UET_FORMAT_H

#include "ns3/wire-format.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-wire
 * @brief Frame sizes of Ultra Ethernet's public simulator.
 *
 * uet-htsim (commit 40ccb05) counts 64 bytes of headers with a payload of 4096 bytes, and 64 bytes
 * for acknowledgments, NACKs, credits and trimmed packets; its links have no further overhead: for
 * equal times the scenario's "framing" must be "none".  These are sizes only, without a layout, so
 * that such frames cannot be captured.  READ requests and atomics have the sizes of RoCE v2.
 */
class UetFormat : public WireFormat
{
  public:
    static TypeId GetTypeId();
    HeaderList GetHeaders(uint8_t code) const override;
    uint32_t GetFixedBytes(uint8_t code) const override;

  private:
    uint32_t m_headerBytes{0};
};

} // namespace ns3::rdma

#endif // RDMA_UET_FORMAT_H
