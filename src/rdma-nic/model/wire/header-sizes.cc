// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/header-sizes.h"

namespace ns3::rdma
{

HeaderSizes::HeaderSizes()
    : HeaderSizes(*CreateObject<IbtaFormat>())
{
}

HeaderSizes::HeaderSizes(const WireFormat& format, IpVersion version)
{
    for (uint32_t code = 0; code < m_bytes.size(); ++code)
    {
        uint32_t bytes = COMMON + (version == IpVersion::V6 ? IPV6_EXTRA : 0);
        for (const HeaderKind kind : format.GetHeaders(static_cast<uint8_t>(code)))
        {
            bytes += GetHeaderBytes(kind);
        }
        m_bytes[code] = static_cast<uint16_t>(bytes);
    }
}

} // namespace ns3::rdma
