// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/renamed-names.h"

#include <map>

namespace ns3::rdma
{

namespace
{
std::map<std::string, std::string>&
GetTable()
{
    static std::map<std::string, std::string> table;
    return table;
}
} // namespace

bool
RegisterRenamed(const std::vector<std::pair<std::string, std::string>>& names)
{
    for (const auto& [former, present] : names)
    {
        GetTable()[former] = present;
    }
    return true;
}

std::optional<std::string>
FindNewName(const std::string& former)
{
    const auto row = GetTable().find(former);
    return row == GetTable().end() ? std::nullopt : std::optional(row->second);
}

} // namespace ns3::rdma
