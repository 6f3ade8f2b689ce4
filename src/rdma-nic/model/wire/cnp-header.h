// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_CNP_HEADER_H
#define RDMA_CNP_HEADER_H

#include "ns3/fixed-header.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-wire
 * @brief What a congestion notification packet has behind the BTH: 16 reserved bytes (IBTA Annex
 * A17, Section A17.9.3).  Sent as zero, ignored when received.
 */
class CnpHeader : public FixedHeader<CnpHeader>
{
  public:
    static constexpr uint32_t SIZE{16}; ///< Bytes on the wire.
    static TypeId GetTypeId();
    void Serialize(Buffer::Iterator start) const override;
    void Read(Buffer::Iterator start);
    void Print(std::ostream& os) const override;
};

} // namespace ns3::rdma

#endif // RDMA_CNP_HEADER_H
