// SPDX-License-Identifier: GPL-2.0-only

#include "command.h"

#include <algorithm>
#include <tuple>

namespace ns3::rdma
{

namespace
{

std::vector<CommandFactory>&
GetFactories()
{
    static std::vector<CommandFactory> factories;
    return factories;
}

} // namespace

void
RegisterCommand(CommandFactory factory)
{
    GetFactories().push_back(std::move(factory));
}

std::vector<std::unique_ptr<Command>>
MakeCommands()
{
    std::vector<std::unique_ptr<Command>> commands;
    for (const CommandFactory& make : GetFactories())
    {
        commands.push_back(make());
    }
    // The order of registration depends on the linker.
    std::sort(commands.begin(), commands.end(), [](const auto& a, const auto& b) {
        return std::tie(a->GetInfo().position, a->GetInfo().name) <
               std::tie(b->GetInfo().position, b->GetInfo().name);
    });
    return commands;
}

void
Command::AddOptions(CLI::App&)
{
}

void
Command::EditWords(std::vector<std::string>&) const
{
}

std::vector<std::string>
Command::GetPlugins() const
{
    return {};
}

bool
Command::IsForRanks() const
{
    return false;
}

} // namespace ns3::rdma
