// SPDX-License-Identifier: GPL-2.0-only

#include "key-table.h"

#include "ns3/name-suggestion.h"

#include <iomanip>
#include <nlohmann/json.hpp>

namespace ns3::rdma
{

void
PrintKeys(std::ostream& out, const std::vector<KeyInfo>& keys, const std::string& indent)
{
    constexpr int NAME_WIDTH{28};
    constexpr std::size_t MOST_CHOICES{8};
    const nlohmann::ordered_json descriptions = DescribeKeys(keys);
    for (std::size_t place = 0; place < keys.size(); ++place)
    {
        const KeyInfo& key = keys[place];
        const std::vector<std::string>& choices = key.spec.choices;
        const bool areFew = !choices.empty() && choices.size() <= MOST_CHOICES;
        out << indent << std::left << std::setw(NAME_WIDTH) << key.name
            << (areFew ? JoinNames(choices) : descriptions[place]["type"].get<std::string>())
            << ": " << key.spec.meaning;
        if (key.spec.isRequired || key.spec.isForm)
        {
            out << " (required" << (key.spec.isForm ? ", one of several)" : ")");
        }
        else if (!key.otherwise.empty())
        {
            out << " (" << key.otherwise << ')';
        }
        out << '\n';
        PrintKeys(out, key.members, indent + "  ");
    }
}

} // namespace ns3::rdma
