// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/server-capture.h"

#include "ns3/boolean.h"
#include "ns3/object-factory.h"
#include "ns3/type-id.h"

namespace ns3::rdma
{

namespace
{

Ptr<RdmaNic>
GetNic(const Fabric& fabric, uint32_t node)
{
    return fabric.GetNodes().Get(node)->GetObject<RdmaNic>();
}

Ptr<WireFormat>
MakeFormat(const Ptr<RdmaNic>& nic)
{
    TypeIdValue type;
    nic->GetAttribute("WireFormat", type);
    ObjectFactory factory;
    factory.SetTypeId(type.Get());
    return factory.Create<WireFormat>();
}

IpVersion
GetVersion(const Ptr<RdmaNic>& nic)
{
    BooleanValue hasIpv6;
    nic->GetAttribute("Ipv6", hasIpv6);
    return hasIpv6.Get() ? IpVersion::V6 : IpVersion::V4;
}

} // namespace

ServerCapture::ServerCapture(Fabric& fabric,
                             uint32_t node,
                             const std::string& path,
                             const PcapFilter& filter)
    : m_format(MakeFormat(GetNic(fabric, node))),
      m_sniffer(fabric.GetCore(),
                fabric.GetServerDevice(node).GetPort(),
                RoceCodec(*m_format, GetVersion(GetNic(fabric, node))),
                path,
                filter)
{
}

void
ServerCapture::Close()
{
    m_sniffer.Close();
}

} // namespace ns3::rdma
