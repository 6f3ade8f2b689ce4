// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_DETH_HEADER_H
#define RDMA_DETH_HEADER_H

#include "ns3/fixed-header.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-wire
 * @brief Datagram extended transport header, 8 bytes (IBTA Vol. 1, Section 9.3.2).
 */
class DethHeader : public FixedHeader<DethHeader>
{
  public:
    static constexpr uint32_t SIZE{8}; ///< Bytes on the wire.
    static TypeId GetTypeId();
    void Serialize(Buffer::Iterator start) const override;
    void Read(Buffer::Iterator start);
    void Print(std::ostream& os) const override;

    uint32_t queueKey{0};
    uint32_t sourceQp{0}; ///< 24 bits.
};

} // namespace ns3::rdma

#endif // RDMA_DETH_HEADER_H
