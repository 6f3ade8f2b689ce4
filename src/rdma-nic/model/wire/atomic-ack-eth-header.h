// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_ATOMIC_ACK_ETH_HEADER_H
#define RDMA_ATOMIC_ACK_ETH_HEADER_H

#include "ns3/fixed-header.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-wire
 * @brief Atomic ACK extended transport header, 8 bytes (IBTA Vol. 1, Section 9.5.3).
 */
class AtomicAckEthHeader : public FixedHeader<AtomicAckEthHeader>
{
  public:
    static constexpr uint32_t SIZE{8}; ///< Bytes on the wire.
    static TypeId GetTypeId();
    void Serialize(Buffer::Iterator start) const override;
    void Read(Buffer::Iterator start);
    void Print(std::ostream& os) const override;

    uint64_t original{0}; ///< Value before the operation.
};

} // namespace ns3::rdma

#endif // RDMA_ATOMIC_ACK_ETH_HEADER_H
