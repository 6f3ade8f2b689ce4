// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FABRIC_DEVICE_H
#define RDMA_FABRIC_DEVICE_H

#include "ns3/fabric-port.h"
#include "ns3/ip-facts.h"
#include "ns3/mac48-address.h"
#include "ns3/net-device.h"
#include "ns3/slab.h"
#include "ns3/traced-callback.h"

#include <memory>

namespace ns3::rdma
{

/**
 * @ingroup rdma-link
 * @brief NetDevice adapter of a FabricPort: node, channel, address, packets of ns-3's own stacks.
 *
 * A packet that ns-3 sends becomes an opaque frame with a PacketCargo and is queued at the
 * FabricPort in IpPriority; frames of the NICs never pass through this class.  The device contains
 * the port, and is its PortOwner until a NIC or a switch replaces it.
 *
 * There is no ARP: the destination is the endpoint with the MAC address.  If that is the broadcast
 * address, which ns-3 passes without ARP, it is the endpoint with the destination IP address
 * (MakeIpv4Address(), MakeIpv6Address()).  The fabric is one subnet without gateways.
 *
 * Not modelled: broadcast and multicast (Send() refuses them), segmentation offload, ns-3's queue
 * discs.
 */
class FabricDevice final : public NetDevice, private PortOwner, public InSlab<FabricDevice>
{
  public:
    static TypeId GetTypeId();

    /// @param core shared by the fabric
    /// @param id of the endpoint, or of the switch's node
    /// @param number of the port
    FabricDevice(std::shared_ptr<FabricCore> core, uint32_t id, uint16_t number);
    ~FabricDevice() override;

    /// @return a device of the same fabric with the attributes of this one: ns-3 sets those of a
    /// new object one by one, and a fabric has hundreds of thousands of devices.
    Ptr<FabricDevice> MakeAlike(uint32_t id, uint16_t number) const;

    FabricPort& GetPort();
    void SetChannel(Ptr<Channel> channel);

    /// Makes this device the port's owner again, since the present one is about to be deleted.
    void TakePortBack();

    /// Called when the link has gone down or up.
    void OnLinkChange();

    /// Passes the packet of an opaque frame to the node. The device takes over the frame.
    void Deliver(FrameIndex index);

    void SetIfIndex(const uint32_t index) override;
    uint32_t GetIfIndex() const override;
    Ptr<Channel> GetChannel() const override;
    void SetAddress(Address address) override;
    Address GetAddress() const override;
    bool SetMtu(const uint16_t mtu) override;
    uint16_t GetMtu() const override;
    bool IsLinkUp() const override;
    void AddLinkChangeCallback(Callback<void> callback) override;
    bool IsBroadcast() const override;
    Address GetBroadcast() const override;
    bool IsMulticast() const override;
    Address GetMulticast(Ipv4Address group) const override;
    Address GetMulticast(Ipv6Address group) const override;
    bool IsBridge() const override;
    bool IsPointToPoint() const override;
    bool Send(Ptr<Packet> packet, const Address& destination, uint16_t protocol) override;
    bool SendFrom(Ptr<Packet> packet,
                  const Address& source,
                  const Address& destination,
                  uint16_t protocol) override;
    Ptr<Node> GetNode() const override;
    void SetNode(Ptr<Node> node) override;
    bool NeedsArp() const override;
    void SetReceiveCallback(ReceiveCallback callback) override;
    void SetPromiscReceiveCallback(PromiscReceiveCallback callback) override;
    bool SupportsSendFrom() const override;

  private:
    FabricDevice(const FabricDevice& alike, uint32_t id, uint16_t number);
    void DoDispose() override;
    void Receive(FrameIndex index) override;
    // Cold: at the virtual calls of FabricPort the compiler must not guess these functions.
    [[gnu::cold]] void OnDequeue(FabricPort& port, Frame& frame) override;
    [[gnu::cold]] PulledFrame Pull(FabricPort& port, uint32_t classNumber) override;
    FrameIndex MakeFrame(uint32_t packetBytes, const IpFacts& facts);
    void Drop(FrameIndex index, DropReason reason);

    std::shared_ptr<FabricCore> m_core; ///< Kept alive for the port.
    FabricPort m_port;
    Ptr<Node> m_node;
    Ptr<Channel> m_channel;
    ReceiveCallback m_receive;
    PromiscReceiveCallback m_promiscReceive;
    std::unique_ptr<TracedCallback<>> m_linkChange; ///< Null until the first connection.
    Mac48Address m_address;
    uint32_t m_id; ///< Of the endpoint, or of the switch's node.
    uint32_t m_ifIndex{0};
    uint32_t m_ipQueueBytes{0};
    uint16_t m_mtu{1500};
    uint8_t m_ipPriority{0};
};

} // namespace ns3::rdma

#endif // RDMA_FABRIC_DEVICE_H
