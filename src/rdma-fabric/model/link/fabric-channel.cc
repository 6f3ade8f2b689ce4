// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/fabric-channel.h"

#include "ns3/fabric-device.h"
#include "ns3/register-type.h"

namespace ns3::rdma
{

RDMA_REGISTER_CLASS(FabricChannel, Channel, "RdmaFabric");

Ptr<FabricChannel>
FabricChannel::Connect(Ptr<FabricDevice> a, Ptr<FabricDevice> b, DataRate rate, Time delay)
{
    auto channel = CreateObject<FabricChannel>();
    channel->m_devices = {a, b};
    FabricPort::Connect(a->GetPort(), b->GetPort(), rate, ToTick(delay));
    a->SetChannel(channel);
    b->SetChannel(channel);
    return channel;
}

void
FabricChannel::DoDispose()
{
    m_devices = {};
    Channel::DoDispose();
}

std::size_t
FabricChannel::GetNDevices() const
{
    return m_devices.size();
}

Ptr<NetDevice>
FabricChannel::GetDevice(std::size_t i) const
{
    return m_devices.at(i);
}

void
FabricChannel::SetUp(bool isUp)
{
    m_devices[0]->GetPort().SetLinkUp(isUp);
}

} // namespace ns3::rdma
