// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/fabric-internet.h"

#include "ns3/boolean.h"
#include "ns3/fabric-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-interface-address.h"
#include "ns3/ipv4-static-routing-helper.h"
#include "ns3/ipv4.h"
#include "ns3/ipv6-interface-address.h"
#include "ns3/ipv6-static-routing-helper.h"
#include "ns3/ipv6.h"

namespace ns3::rdma
{

namespace
{
void
AddIpv4(Ptr<Node> node, Ptr<NetDevice> device, uint32_t server)
{
    Ptr<Ipv4> ip = node->GetObject<Ipv4>();
    ip->SetAttribute("IpForward", BooleanValue(false));
    const uint32_t interface = ip->AddInterface(device);
    ip->AddAddress(interface, Ipv4InterfaceAddress(MakeIpv4Address(server), Ipv4Mask("/8")));
    ip->SetUp(interface);
}

void
AddIpv6(Ptr<Node> node, Ptr<NetDevice> device, uint32_t server)
{
    Ptr<Ipv6> ip = node->GetObject<Ipv6>();
    ip->SetAttribute("IpForward", BooleanValue(false));
    const uint32_t interface = ip->AddInterface(device);
    ip->AddAddress(interface, Ipv6InterfaceAddress(MakeIpv6Address(server), Ipv6Prefix(64)));
    ip->SetUp(interface);
}
} // namespace

FabricInternet::FabricInternet(bool hasIpv6)
    : m_hasIpv6(hasIpv6)
{
}

void
FabricInternet::Install(Fabric& fabric, const std::vector<uint32_t>& servers) const
{
    InternetStackHelper stack;
    stack.SetRoutingHelper(Ipv4StaticRoutingHelper());
    stack.SetRoutingHelper(Ipv6StaticRoutingHelper());
    stack.SetIpv6StackInstall(m_hasIpv6);
    for (const uint32_t server : servers)
    {
        Ptr<Node> node = fabric.GetNodes().Get(server);
        if (node->GetObject<Ipv4>())
        {
            continue;
        }
        Ptr<NetDevice> device = &fabric.GetServerDevice(server);
        stack.Install(node);
        AddIpv4(node, device, server);
        if (m_hasIpv6)
        {
            AddIpv6(node, device, server);
        }
    }
}

} // namespace ns3::rdma
