// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/tool-option.h"

namespace ns3::rdma
{

std::vector<std::string>
DescribeUnused(const std::vector<UnusedOption>& given)
{
    std::vector<std::string> machine;
    std::vector<std::string> notes;
    for (const UnusedOption& option : given)
    {
        if (option.use == ToolOptionUse::REAL_MACHINE)
        {
            machine.push_back(option.name);
        }
        else
        {
            notes.push_back(option.name + " is not modelled: " + option.text);
        }
    }
    std::string list;
    for (std::size_t i = 0; i < machine.size(); ++i)
    {
        list += (i == 0 ? "" : i + 1 == machine.size() ? " and " : ", ") + machine[i];
    }
    if (!machine.empty())
    {
        notes.insert(notes.begin(),
                     list + (machine.size() == 1 ? " matters" : " matter") +
                         " on a real machine only");
    }
    return notes;
}

} // namespace ns3::rdma
