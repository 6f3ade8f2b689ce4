// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/class-name.h"

#include "ns3/attribute-fault.h"

namespace ns3::rdma
{

std::string
ReadTypeName(const JsonValue& value, const std::string& base)
{
    const std::string name = value.GetString();
    if (const auto fault = FindTypeFault(name, base, PLUGIN_HINT))
    {
        value.Fail(fault->expected, fault->got);
    }
    return name;
}

} // namespace ns3::rdma
