// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/content-hash.h"

#include <cstdio>

namespace ns3::rdma
{

std::string
ContentHash::GetText() const
{
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(m_value));
    return text;
}

} // namespace ns3::rdma
