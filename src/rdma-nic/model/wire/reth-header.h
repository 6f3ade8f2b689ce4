// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RETH_HEADER_H
#define RDMA_RETH_HEADER_H

#include "ns3/fixed-header.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-wire
 * @brief RDMA extended transport header, 16 bytes (IBTA Vol. 1, Section 9.3.3).
 */
class RethHeader : public FixedHeader<RethHeader>
{
  public:
    static constexpr uint32_t SIZE{16}; ///< Bytes on the wire.
    static TypeId GetTypeId();
    void Serialize(Buffer::Iterator start) const override;
    void Read(Buffer::Iterator start);
    void Print(std::ostream& os) const override;

    uint64_t virtualAddress{0};
    uint32_t remoteKey{0};
    uint32_t dmaLength{0}; ///< Bytes of the whole message.
};

} // namespace ns3::rdma

#endif // RDMA_RETH_HEADER_H
