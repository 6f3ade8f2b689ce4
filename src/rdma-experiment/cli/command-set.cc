// SPDX-License-Identifier: GPL-2.0-only

#include "command-set.h"

#include "build-commit.h"
#include "option-checks.h"
#include "unknown-word.h"

#include "ns3/input-error.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

namespace ns3::rdma
{

namespace
{

using Json = nlohmann::ordered_json;

Json
DescribeOption(const CLI::Option& option)
{
    Json names = Json::array();
    for (const std::string& name : option.get_snames())
    {
        names.push_back("-" + name);
    }
    for (const std::string& name : option.get_lnames())
    {
        names.push_back("--" + name);
    }
    // CLI11 has a type for flags, too, when they are bound to a variable.
    const bool isFlag = option.get_items_expected_max() == 0;
    return {{"names", names},
            {"name", option.get_name(true)},
            {"type", isFlag ? "" : option.get_type_name()},
            {"help", option.get_description()}};
}

} // namespace

CommandSet::CommandSet(const std::string& name)
    : m_commands(MakeCommands()),
      m_app("RoceLab: what does a NIC design do to a large, lossy RDMA fabric?", "rocelab")
{
    m_app.set_version_flag("--version", DescribeVersion());
    m_app.require_subcommand(1);
    const auto isNamed = [&name](const auto& command) { return command->GetInfo().name == name; };
    const bool isOne = std::any_of(m_commands.begin(), m_commands.end(), isNamed);
    for (const auto& command : m_commands)
    {
        Add(*command, !isOne || isNamed(command));
    }
    m_app.footer("rocelab COMMAND --help has the options of a command, with examples.");
    CheckAllValues(m_app);
}

void
CommandSet::Add(Command& command, bool hasOptions)
{
    const CommandInfo& info = command.GetInfo();
    CLI::App* const app = m_app.add_subcommand(info.name, info.help);
    app->prefix_command(!info.isParsedHere);
    if (hasOptions)
    {
        command.AddOptions(*app);
    }
    if (!info.examples.empty())
    {
        app->footer("Examples:\n" + info.examples);
    }
    app->final_callback([this, &command] { m_chosen = &command; });
}

Command*
CommandSet::FindUnparsed(int argc, const char* const* argv) const
{
    const auto found = std::find_if(m_commands.begin(), m_commands.end(), [&](const auto& one) {
        return argc > 1 && one->GetInfo().name == argv[1];
    });
    return found != m_commands.end() && !(*found)->GetInfo().isParsedHere ? found->get() : nullptr;
}

Command*
CommandSet::Parse(int argc, const char* const* argv, bool isPrinter)
{
    std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
    for (const auto& command : m_commands)
    {
        if (!words.empty() && command->GetInfo().name == words.front())
        {
            command->EditWords(words);
        }
    }
    std::reverse(words.begin(), words.end()); // CLI11 takes them from the end.
    try
    {
        m_app.parse(std::move(words));
    }
    catch (const CLI::ParseError& error)
    {
        if (error.get_exit_code() == 0)
        {
            if (isPrinter)
            {
                m_app.exit(error); // Prints help or version.
            }
            return nullptr;
        }
        const std::string unknown = DescribeUnknownWord(m_app, argc, argv);
        const std::string message = unknown.empty() ? error.what() : unknown;
        throw InputError(message.substr(0, message.find('\n')) + " (see rocelab --help)");
    }
    return m_chosen;
}

Json
CommandSet::Describe() const
{
    Json commands = Json::array();
    for (const auto& command : m_commands)
    {
        const CLI::App* const app = m_app.get_subcommand(command->GetInfo().name);
        Json options = Json::array();
        for (const CLI::Option* option : app->get_options())
        {
            options.push_back(DescribeOption(*option));
        }
        commands.push_back({{"name", app->get_name()},
                            {"help", app->get_description()},
                            {"examples", app->get_footer()},
                            {"options", options},
                            {"is_python", !command->GetInfo().isParsedHere}});
    }
    return {{"commands", commands}};
}

} // namespace ns3::rdma
