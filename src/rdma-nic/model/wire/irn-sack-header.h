// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_IRN_SACK_HEADER_H
#define RDMA_IRN_SACK_HEADER_H

#include "ns3/fixed-header.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-wire
 * @brief Selective part of an IRN acknowledgment, 4 bytes (Mittal et al. 2018, section 5.2).
 *
 * The paper says that an acknowledgment carries the PSN that triggered it and prints no layout.
 * Ours: one bit on top that says whether the PSN counts, seven reserved bits, 24 bits of PSN.
 */
class IrnSackHeader : public FixedHeader<IrnSackHeader>
{
  public:
    static constexpr uint32_t SIZE{4}; ///< Bytes on the wire.
    static TypeId GetTypeId();
    void Serialize(Buffer::Iterator start) const override;
    void Read(Buffer::Iterator start);
    void Print(std::ostream& os) const override;

    bool isValid{false};
    uint32_t psn{0}; ///< 24 bits.
};

} // namespace ns3::rdma

#endif // RDMA_IRN_SACK_HEADER_H
