// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_AETH_HEADER_H
#define RDMA_AETH_HEADER_H

#include "ns3/fixed-header.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-wire
 * @brief ACK extended transport header, 4 bytes (IBTA Vol. 1, Section 9.3.5).
 */
class AethHeader : public FixedHeader<AethHeader>
{
  public:
    static constexpr uint32_t SIZE{4}; ///< Bytes on the wire.
    static TypeId GetTypeId();
    void Serialize(Buffer::Iterator start) const override;
    void Read(Buffer::Iterator start);
    void Print(std::ostream& os) const override;

    uint8_t syndrome{0}; ///< See ns3::rdma::syndrome.
    uint32_t msn{0};     ///< 24 bits: messages completed.
};

} // namespace ns3::rdma

#endif // RDMA_AETH_HEADER_H
