// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_COMMAND_SET_H
#define RDMA_COMMAND_SET_H

#include "command.h"

#include <nlohmann/json_fwd.hpp>

namespace ns3::rdma
{

/// The command line of the program: all registered commands, and their options.
class CommandSet
{
  public:
    /// @param name of the command that alone has its options; of none: all commands have them
    explicit CommandSet(const std::string& name = "");

    /// @return the command that the words name, if it reads its words itself; else null
    Command* FindUnparsed(int argc, const char* const* argv) const;

    /**
     * @brief Parses a command line.
     *
     * @param isPrinter whether this process prints the help, if the words ask for it
     * @return the command to run; null: help or version was printed
     * @throws InputError
     */
    Command* Parse(int argc, const char* const* argv, bool isPrinter);

    /// @return all commands with their options, for "rocelab list commands". Only if all have them.
    nlohmann::ordered_json Describe() const;

  private:
    void Add(Command& command, bool hasOptions);

    std::vector<std::unique_ptr<Command>> m_commands;
    CLI::App m_app;
    Command* m_chosen{nullptr};
};

} // namespace ns3::rdma

#endif // RDMA_COMMAND_SET_H
