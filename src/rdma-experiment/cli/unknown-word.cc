// SPDX-License-Identifier: GPL-2.0-only

#include "unknown-word.h"

#include "ns3/name-suggestion.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ns3::rdma
{

namespace
{

/// Former commands, and the words that replace them.
const std::map<std::string, std::string> FORMER{
    {"kv-dispatch", "measure kv-dispatch"},
    {"kv-dma", "measure kv-dma"},
    {"kv-processor", "measure kv-processor"},
    {"kv-slabs", "measure kv-slabs or measure kv-merge"},
    {"kv-store", "measure kv-store"},
    {"offload", "measure offload-TASK"},
    {"requirements", "figure thesis/requirements"},
    {"tcp", "measure tcp-bw or measure tcp-lat"},
    {"udp", "measure udp-bw"}};

/// @return the command that runs a program of perftest or nccl-tests; empty: it is none of them.
std::string
FindToolCommand(const std::string& word)
{
    static const std::string PERF{"_perf"};
    const bool isNccl = word.size() > PERF.size() &&
                        word.compare(word.size() - PERF.size(), PERF.size(), PERF) == 0;
    const bool isPerftest = word.rfind("ib_", 0) == 0;
    return isNccl ? "nccl " + word : isPerftest ? "perftest " + word : "";
}

std::string
Describe(const std::string& what, const std::string& word, const std::vector<std::string>& known)
{
    return "expected " + what + " (" + DescribeNearest(word, known) + "), got \"" + word + "\"";
}

/// As they are written: "--seed", "-s".
std::vector<std::string>
GetOptionNames(const CLI::App& app)
{
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options())
    {
        for (const std::string& name : option->get_lnames())
        {
            names.push_back("--" + name);
        }
        for (const std::string& name : option->get_snames())
        {
            names.push_back("-" + name);
        }
    }
    return names;
}

} // namespace

std::string
DescribeUnknownWord(const CLI::App& app, int argc, const char* const* argv)
{
    const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
    std::vector<std::string> commands;
    const CLI::App* command = nullptr;
    for (const CLI::App* const one : app.get_subcommands([](const CLI::App*) { return true; }))
    {
        commands.push_back(one->get_name());
        command = !words.empty() && one->get_name() == words.front() ? one : command;
    }
    if (words.empty())
    {
        return "expected a command: " + JoinNames(commands) + "; got none";
    }
    if (!command)
    {
        const auto former = FORMER.find(words.front());
        if (former != FORMER.end())
        {
            const bool isMeasured = former->second.rfind("measure", 0) == 0;
            return "expected " + former->second +
                   (isMeasured ? ", with KEY=VALUE for each option" : "") +
                   ", got the former command " + former->first;
        }
        if (const std::string tool = FindToolCommand(words.front()); !tool.empty())
        {
            return "expected " + tool + ", got the command \"" + words.front() + '"';
        }
        const std::vector<std::string> options = GetOptionNames(app);
        const bool isOption =
            std::find(options.begin(), options.end(), words.front()) != options.end();
        return isOption ? "" : Describe("a command", words.front(), commands);
    }
    const std::vector<std::string> options = GetOptionNames(*command);
    for (size_t i = 1; i < words.size(); ++i)
    {
        const std::string name = words[i].substr(0, words[i].find('='));
        const bool isLong = name.size() > 2 && name.compare(0, 2, "--") == 0;
        if (isLong && std::find(options.begin(), options.end(), name) == options.end())
        {
            return Describe("an option of " + command->get_name(), name, options);
        }
    }
    return {};
}

} // namespace ns3::rdma
