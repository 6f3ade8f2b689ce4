// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PACKET_CARGO_H
#define RDMA_PACKET_CARGO_H

#include "ns3/frame.h"
#include "ns3/mac48-address.h"
#include "ns3/packet.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-link
 * @brief A packet of ns-3's own protocol stacks, carried by an opaque frame.
 */
class PacketCargo : public FrameCargo
{
  public:
    Ptr<Packet> packet;       ///< From the network header on, without the Ethernet header.
    uint16_t protocol{0};     ///< EtherType, in host byte order.
    Mac48Address source;      ///< Of the Ethernet header.
    Mac48Address destination; ///< Of the Ethernet header.

    std::unique_ptr<FrameCargo> Clone() const override
    {
        auto clone = std::make_unique<PacketCargo>(*this);
        clone->packet = packet->Copy();
        return clone;
    }

    uint32_t GetKind() const override
    {
        return KIND;
    }

    void Pack(ByteBuffer& buffer) const override;

  private:
    static constexpr uint32_t KIND{1};
    static const bool IS_REGISTERED;
};

} // namespace ns3::rdma

#endif // RDMA_PACKET_CARGO_H
