// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_BTH_HEADER_H
#define RDMA_BTH_HEADER_H

#include "ns3/fixed-header.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-wire
 * @brief Base transport header, 12 bytes (IBTA Vol. 1, Section 9.2; FECN and BECN: Annex A17).
 *
 * Reserved bits are sent as zero and ignored when received.
 */
class BthHeader : public FixedHeader<BthHeader>
{
  public:
    static constexpr uint32_t SIZE{12}; ///< Bytes on the wire.
    static TypeId GetTypeId();
    void Serialize(Buffer::Iterator start) const override;
    void Read(Buffer::Iterator start);
    void Print(std::ostream& os) const override;

    uint8_t opcode{0}; ///< See ns3::rdma::opcode.
    bool isSolicited{false};
    bool isMigrated{false}; ///< MigReq.
    uint8_t padCount{0};    ///< 2 bits: bytes that follow the payload.
    uint8_t version{0};     ///< 4 bits: TVer, zero.
    uint16_t partitionKey{0xffff};
    bool isFecn{false};
    bool isBecn{false};
    uint32_t destQp{0}; ///< 24 bits.
    bool isAckRequested{false};
    uint32_t psn{0}; ///< 24 bits.
};

} // namespace ns3::rdma

#endif // RDMA_BTH_HEADER_H
