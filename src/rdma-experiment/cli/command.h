// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_COMMAND_H
#define RDMA_COMMAND_H

#include "ns3/rank-group.h"

#include <CLI/CLI.hpp>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rdma
{

/// Name and help of a command.
struct CommandInfo
{
    static constexpr int LAST{std::numeric_limits<int>::max()};

    std::string name;
    std::string help;        ///< One line.
    std::string examples{};  ///< Lines "  rocelab NAME ..."; empty: none.
    int position{LAST};      ///< In lists of commands; those of equal position are sorted by name.
    bool isParsedHere{true}; ///< Else Run() gets the words as they are, and defines no options.
};

/// The process that runs a command.
struct CommandContext
{
    RankGroup& ranks;
    int argc; ///< Of the process.
    char** argv;
};

/**
 * @brief A command of the program: "rocelab NAME ...".
 *
 * A command is one file in cli/commands/ and its RegisteredCommand; no other file names it. Its
 * members hold the values of its options.
 */
class Command
{
  public:
    explicit Command(CommandInfo info)
        : m_info(std::move(info))
    {
    }

    virtual ~Command() = default;
    Command(const Command&) = delete;
    Command& operator=(const Command&) = delete;

    const CommandInfo& GetInfo() const
    {
        return m_info;
    }

    /// Defines the options, bound to members. @param command of the command line, which lives as
    /// long as this
    virtual void AddOptions(CLI::App& command);

    /// Changes words of the command line, of which the first is the command's name, before they are
    /// parsed. Default: nothing.
    virtual void EditWords(std::vector<std::string>& words) const;

    /// @return the plug-ins to load before it runs. Default: none.
    virtual std::vector<std::string> GetPlugins() const;

    /// @return whether several ranks run it together. Default: no.
    virtual bool IsForRanks() const;

    /// @return an ExitStatus @throws InputError, or RankError of several ranks
    virtual int Run(const CommandContext& context) = 0;

  private:
    CommandInfo m_info;
};

using CommandFactory = std::function<std::unique_ptr<Command>()>;

/// Adds a command to those of the program. Before main().
void RegisterCommand(CommandFactory factory);

/// @return a new object of each registered command, in the order of CommandInfo::position
std::vector<std::unique_ptr<Command>> MakeCommands();

/// A static object of this type registers a command.
template <typename T>
struct RegisteredCommand
{
    RegisteredCommand()
    {
        RegisterCommand([] { return std::make_unique<T>(); });
    }
};

} // namespace ns3::rdma

#endif // RDMA_COMMAND_H
