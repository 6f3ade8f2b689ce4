// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_IMM_DT_HEADER_H
#define RDMA_IMM_DT_HEADER_H

#include "ns3/fixed-header.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-wire
 * @brief Immediate data, 4 bytes (IBTA Vol. 1, Section 9.3.6).
 */
class ImmDtHeader : public FixedHeader<ImmDtHeader>
{
  public:
    static constexpr uint32_t SIZE{4}; ///< Bytes on the wire.
    static TypeId GetTypeId();
    void Serialize(Buffer::Iterator start) const override;
    void Read(Buffer::Iterator start);
    void Print(std::ostream& os) const override;

    uint32_t immediate{0}; ///< Its most significant byte leaves first.
};

} // namespace ns3::rdma

#endif // RDMA_IMM_DT_HEADER_H
