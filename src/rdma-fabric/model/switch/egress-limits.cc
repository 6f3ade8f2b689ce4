// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/egress-limits.h"

#include <algorithm>

namespace ns3::rdma
{

EgressLimits::EgressLimits(const ClassTable& classes)
{
    for (uint32_t number = 0; number < PRIORITIES; ++number)
    {
        m_limits[number].bytes = classes[number].egressLimitBytes.value_or(UINT64_MAX);
        m_limits[number].alpha = classes[number].egressAlpha.value_or(0);
    }
}

bool
EgressLimits::IsAny(const ClassTable& classes)
{
    return std::any_of(classes.begin(), classes.end(), [](const ClassSettings& settings) {
        return settings.egressLimitBytes || settings.egressAlpha;
    });
}

} // namespace ns3::rdma
