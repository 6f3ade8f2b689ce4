// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_ATOMIC_ETH_HEADER_H
#define RDMA_ATOMIC_ETH_HEADER_H

#include "ns3/fixed-header.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-wire
 * @brief Atomic extended transport header, 28 bytes (IBTA Vol. 1, Section 9.3.4).
 */
class AtomicEthHeader : public FixedHeader<AtomicEthHeader>
{
  public:
    static constexpr uint32_t SIZE{28}; ///< Bytes on the wire.
    static TypeId GetTypeId();
    void Serialize(Buffer::Iterator start) const override;
    void Read(Buffer::Iterator start);
    void Print(std::ostream& os) const override;

    uint64_t virtualAddress{0};
    uint32_t remoteKey{0};
    uint64_t swapAdd{0}; ///< What compare-and-swap stores, or fetch-and-add adds.
    uint64_t compare{0}; ///< Zero in a fetch-and-add.
};

} // namespace ns3::rdma

#endif // RDMA_ATOMIC_ETH_HEADER_H
