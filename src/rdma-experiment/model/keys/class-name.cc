// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/class-name.h"

#include "ns3/attribute-fault.h"

#include <algorithm>
#include <cctype>

namespace ns3::rdma
{

std::string
ReadTypeName(const JsonValue& value, const std::string& base)
{
    const std::string name = value.GetString();
    if (const auto fault = FindTypeFault(name, base, PLUGIN_HINT))
    {
        // JSON writes line breaks so that the message stays one line.
        const bool isOneLine = std::none_of(name.begin(), name.end(), [](unsigned char letter) {
            return std::iscntrl(letter) != 0;
        });
        isOneLine ? value.Fail(fault->expected, fault->got) : value.Fail(fault->expected);
    }
    return name;
}

} // namespace ns3::rdma
