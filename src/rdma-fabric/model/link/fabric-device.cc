// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/fabric-device.h"

#include "ns3/channel.h"
#include "ns3/node.h"

#include <utility>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(FabricDevice);

TypeId
FabricDevice::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::FabricDevice").SetParent<NetDevice>().SetGroupName("RdmaFabric");
    return tid;
}

FabricDevice::FabricDevice(std::shared_ptr<FabricCore> core, uint16_t number)
    : m_core(std::move(core)),
      m_port(*m_core, number),
      m_address(Mac48Address::Allocate())
{
}

FabricDevice::~FabricDevice() = default;

void
FabricDevice::DoDispose()
{
    m_port.SetLossModel(nullptr);
    m_node = nullptr;
    m_channel = nullptr;
    NetDevice::DoDispose();
}

FabricPort&
FabricDevice::GetPort()
{
    return m_port;
}

void
FabricDevice::SetChannel(Ptr<Channel> channel)
{
    m_channel = channel;
}

void
FabricDevice::SetIfIndex(const uint32_t index)
{
    m_ifIndex = index;
}

uint32_t
FabricDevice::GetIfIndex() const
{
    return m_ifIndex;
}

Ptr<Channel>
FabricDevice::GetChannel() const
{
    return m_channel;
}

void
FabricDevice::SetAddress(Address address)
{
    m_address = Mac48Address::ConvertFrom(address);
}

Address
FabricDevice::GetAddress() const
{
    return m_address;
}

bool
FabricDevice::SetMtu(const uint16_t mtu)
{
    m_mtu = mtu;
    return true;
}

uint16_t
FabricDevice::GetMtu() const
{
    return m_mtu;
}

bool
FabricDevice::IsLinkUp() const
{
    return m_port.GetPeer() && m_port.IsLinkUp();
}

void
FabricDevice::AddLinkChangeCallback(Callback<void>)
{
}

bool
FabricDevice::IsBroadcast() const
{
    return true;
}

Address
FabricDevice::GetBroadcast() const
{
    return Mac48Address::GetBroadcast();
}

bool
FabricDevice::IsMulticast() const
{
    return true;
}

Address
FabricDevice::GetMulticast(Ipv4Address group) const
{
    return Mac48Address::GetMulticast(group);
}

Address
FabricDevice::GetMulticast(Ipv6Address group) const
{
    return Mac48Address::GetMulticast(group);
}

bool
FabricDevice::IsBridge() const
{
    return false;
}

bool
FabricDevice::IsPointToPoint() const
{
    return true;
}

bool
FabricDevice::Send(Ptr<Packet>, const Address&, uint16_t)
{
    return false;
}

bool
FabricDevice::SendFrom(Ptr<Packet>, const Address&, const Address&, uint16_t)
{
    return false;
}

Ptr<Node>
FabricDevice::GetNode() const
{
    return m_node;
}

void
FabricDevice::SetNode(Ptr<Node> node)
{
    m_node = node;
}

bool
FabricDevice::NeedsArp() const
{
    return false;
}

void
FabricDevice::SetReceiveCallback(ReceiveCallback)
{
}

void
FabricDevice::SetPromiscReceiveCallback(PromiscReceiveCallback)
{
}

bool
FabricDevice::SupportsSendFrom() const
{
    return false;
}

} // namespace ns3::rdma
