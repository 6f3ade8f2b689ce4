// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/header-sizes.h"

#include "ns3/header-fields.h"
#include "ns3/policy-error.h"

#include <algorithm>
#include <list>

namespace ns3::rdma
{

HeaderSizes::HeaderSizes()
    : HeaderSizes(*CreateObject<IbtaFormat>())
{
}

HeaderSizes::HeaderSizes(const WireFormat& format, IpVersion version, const IntRules& intRules)
{
    Table table;
    for (uint32_t code = 0; code < OPCODES; ++code)
    {
        uint32_t bytes = COMMON + (version == IpVersion::V6 ? IPV6_EXTRA : 0);
        const HeaderList headers = CallPolicy(format, "GetHeaders()", [&] {
            return format.GetHeaders(static_cast<uint8_t>(code));
        });
        for (const HeaderKind kind : headers)
        {
            if (kind >= HeaderKind::COUNT)
            {
                FailPolicy(format,
                           "GetHeaders(" + std::to_string(code) + ")",
                           "headers of HeaderKind",
                           "header " + std::to_string(static_cast<int>(kind)));
            }
            bytes += GetHeaderBytes(kind);
        }
        const uint32_t fixedBytes = format.GetFixedBytes(static_cast<uint8_t>(code));
        bytes = fixedBytes > 0 ? fixedBytes : bytes;
        const bool carriesInt = intRules.IsCarriedBy(static_cast<uint8_t>(code));
        bytes += carriesInt ? IntHeader::GetBytes(intRules.hops) : 0;
        table[code] = static_cast<uint16_t>(bytes);
    }
    table[REPORT] = table[format.GetReportOpcode()];
    table[NACK] = table[format.GetNackOpcode()];
    table[PROBE] = table[format.GetProbeOpcode()];
    m_bytes = Keep(table);
}

const HeaderSizes::Table*
HeaderSizes::Keep(const Table& table)
{
    static std::list<Table> kept; // A list, since its elements never move.
    const auto same = std::find(kept.begin(), kept.end(), table);
    return same == kept.end() ? &kept.emplace_back(table) : &*same;
}

} // namespace ns3::rdma
