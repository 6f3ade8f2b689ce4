// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FABRIC_DEVICE_H
#define RDMA_FABRIC_DEVICE_H

#include "ns3/fabric-port.h"
#include "ns3/mac48-address.h"
#include "ns3/net-device.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-link
 * @brief A port's face as an ns-3 NetDevice: node, channel, address.
 *
 * Holds the FabricPort that does the work.  Frames of the NICs never pass through this class.
 *
 * Not modelled: traffic of ns-3's IP stack.  Send() refuses each packet.
 */
class FabricDevice : public NetDevice
{
  public:
    static TypeId GetTypeId();

    /// @param core shared by the fabric; @param number of the port at its node
    FabricDevice(std::shared_ptr<FabricCore> core, uint16_t number);
    ~FabricDevice() override;

    FabricPort& GetPort();
    void SetChannel(Ptr<Channel> channel);

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
    void DoDispose() override;

    std::shared_ptr<FabricCore> m_core; ///< The port needs it to the end.
    FabricPort m_port;
    Ptr<Node> m_node;
    Ptr<Channel> m_channel;
    Mac48Address m_address;
    uint32_t m_ifIndex{0};
    uint16_t m_mtu{1500};
};

} // namespace ns3::rdma

#endif // RDMA_FABRIC_DEVICE_H
