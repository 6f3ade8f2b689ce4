// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_TOOL_OPTIONS_H
#define RDMA_TOOL_OPTIONS_H

#include "whole-number.h"

#include "ns3/tool-option.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <set>
#include <string>
#include <vector>

namespace ns3::rdma
{

/**
 * Adds an option of another tool to a command. Those without an effect have groups of their own in
 * the help.
 *
 * @param option outlives the command, as do @param request and @param unused, which gets the option
 * if it is given and has no effect
 */
template <typename Request>
void
AddToolOption(CLI::App& command,
              const ToolOption<Request>& option,
              Request& request,
              std::vector<UnusedOption>& unused)
{
    const auto take = [&](const std::string& value) {
        if (option.apply)
        {
            option.apply(request, value);
        }
        else
        {
            unused.push_back({option.GetShortName(), option.use, option.text});
        }
    };
    CLI::Option* added =
        option.argument == ToolArgument::NONE
            ? command.add_flag_callback(
                  option.ListNames(),
                  [take] { take(""); },
                  option.text)
            : command.add_option_function<std::string>(option.ListNames(), take, option.text);
    if (option.argument == ToolArgument::NUMBER)
    {
        added->type_name("UINT")->check([](const std::string& text) {
            return CheckWholeNumber(text, "a whole number below 2^32", UINT32_MAX);
        });
    }
    if (option.use != ToolOptionUse::EFFECTIVE)
    {
        added->group(option.use == ToolOptionUse::REAL_MACHINE
                         ? "Options that matter on a real machine only"
                         : "Options that are not modelled, and how the test runs without them");
    }
}

/// Completes abbreviated long options of a command as getopt_long() does: "--bidir" is
/// "--bidirectional". A text that begins several options, or is one, remains as it is.
inline void
CompleteOptionNames(const CLI::App& command, std::vector<std::string>& words)
{
    for (std::string& word : words)
    {
        const std::size_t equals = std::min(word.find('='), word.size());
        const std::string name = word.substr(0, 2) == "--" ? word.substr(2, equals - 2) : "";
        std::set<std::string> found;
        bool isWhole = name.empty();
        for (const CLI::Option* option : command.get_options())
        {
            const auto& names = option->get_lnames();
            isWhole |= std::find(names.begin(), names.end(), name) != names.end();
            const auto first = std::find_if(names.begin(), names.end(), [&name](const auto& one) {
                return one.compare(0, name.size(), name) == 0;
            });
            if (first != names.end())
            {
                found.insert(*first);
            }
        }
        if (!isWhole && found.size() == 1)
        {
            word = "--" + *found.begin() + word.substr(equals);
        }
    }
}

/// Prints a line for each on standard error. @param program as "perftest"
inline void
PrintNotes(const std::string& program, const std::vector<std::string>& notes)
{
    for (const std::string& note : notes)
    {
        std::cerr << "rocelab: " << program << ": note: " << note << '\n';
    }
}

} // namespace ns3::rdma

#endif // RDMA_TOOL_OPTIONS_H
