// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SRNIC_HEADERS_H
#define RDMA_SRNIC_HEADERS_H

#include "ns3/fixed-header.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-wire
 * @brief SRNIC's metadata of a SEND, READ request or READ response, 8 bytes (section 4.4.1).
 *
 * The paper gives contents and sizes; the order of the fields is ours.
 */
class SrnicMetaHeader : public FixedHeader<SrnicMetaHeader>
{
  public:
    static constexpr uint32_t SIZE{8}; ///< Bytes on the wire.
    static TypeId GetTypeId();
    void Serialize(Buffer::Iterator start) const override;
    void Read(Buffer::Iterator start);
    void Print(std::ostream& os) const override;

    uint32_t ssn{0};       ///< 24 bits, behind one reserved byte.
    uint32_t psnOffset{0}; ///< Place of the packet in its message.
};

/**
 * @ingroup rdma-wire
 * @brief SRNIC's metadata on each packet of a WRITE, 20 bytes (section 4.4.1).
 *
 * The paper gives contents and sizes; the order of the fields is ours.
 */
class SrnicWriteHeader : public FixedHeader<SrnicWriteHeader>
{
  public:
    static constexpr uint32_t SIZE{20}; ///< Bytes on the wire.
    static TypeId GetTypeId();
    void Serialize(Buffer::Iterator start) const override;
    void Read(Buffer::Iterator start);
    void Print(std::ostream& os) const override;

    uint64_t virtualAddress{0};
    uint32_t remoteKey{0};
    uint32_t ssn{0};       ///< 24 bits, behind one reserved byte.
    uint32_t psnOffset{0}; ///< Place of the packet in its message.
};

/**
 * @ingroup rdma-wire
 * @brief SRNIC's echo in an acknowledgment, 8 bytes (section 4.4.1): which packet it answers.
 *
 * The paper gives contents and size.  Ours: one bit on top that says whether the PSN counts, seven
 * reserved bits, 24 bits of PSN, 32 bits of PSN offset.
 */
class SrnicEchoHeader : public FixedHeader<SrnicEchoHeader>
{
  public:
    static constexpr uint32_t SIZE{8}; ///< Bytes on the wire.
    static TypeId GetTypeId();
    void Serialize(Buffer::Iterator start) const override;
    void Read(Buffer::Iterator start);
    void Print(std::ostream& os) const override;

    bool isValid{false};
    uint32_t psn{0};       ///< 24 bits.
    uint32_t psnOffset{0}; ///< Place of that packet in its message.
};

} // namespace ns3::rdma

#endif // RDMA_SRNIC_HEADERS_H
