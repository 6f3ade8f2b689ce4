// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/server-capture.h"

namespace ns3::rdma
{

ServerCapture::ServerCapture(RdmaNic& nic,
                             const std::string& path,
                             const PcapFilter& filter,
                             uint32_t port)
    : m_device(nic.GetDevice(port)),
      m_format(nic.MakeWireFormat()),
      m_sniffer(nic.GetCore(),
                m_device->GetPort(),
                RoceCodec(*m_format, nic.GetIpVersion(), nic.GetIntRules()),
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
