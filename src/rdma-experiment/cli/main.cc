// SPDX-License-Identifier: GPL-2.0-only

#include "list-command.h"
#include "plugin-loader.h"
#include "run-command.h"

#include "ns3/exit-status.h"
#include "ns3/input-error.h"
#include "ns3/nstime.h"
#include "ns3/scenario-writer.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <iostream>
#include <sched.h>

namespace
{

using namespace ns3::rdma;

/// The cores that this process may use, which a container or taskset can limit.
unsigned
CountCores()
{
    cpu_set_t cores;
    return sched_getaffinity(0, sizeof cores, &cores) == 0 ? CPU_COUNT(&cores) : 1;
}

/// CLI11 itself takes negative numbers for large unsigned ones. @return what is wrong, or nothing
std::string
CheckSeed(const std::string& text)
{
    uint64_t seed = 0;
    const char* end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, seed);
    return result.ec == std::errc() && result.ptr == end
               ? std::string()
               : "expected a whole number from 0 to 2^64 - 1, got " + text;
}

/// Options that change a scenario on its way in.
void
AddScenarioOptions(CLI::App& command, RunCommandOptions& options)
{
    const auto addList = [&command](const char* name, auto& list, const char* help) {
        command.add_option(name, list, help)->allow_extra_args(false);
    };
    command.add_option("scenario", options.scenario, "Scenario file (JSON)")->required();
    addList("--nic", options.changes.nics, "Only this NIC of the scenario, or preset (repeatable)");
    addList("--set", options.changes.sets, "PATH=VALUE, as workload.load=0.5 (repeatable)");
    addList("--plugin", options.changes.plugins, "Shared library to load (repeatable)");
    command.add_option("--seed", options.changes.seed, "Replaces run.seed")->check(CheckSeed);
}

/// Reads the command line and does what it says.
int
Dispatch(int argc, char** argv)
{
    CLI::App app("RoceLab: what does a NIC design do to a large, lossy RDMA fabric?", "rocelab");
    app.set_version_flag("--version", "rocelab " ROCELAB_VERSION);
    app.require_subcommand(1);
    constexpr int MAX_JOBS{1024};
    RunCommandOptions options;
    options.jobs = CountCores();
    std::string topic;

    CLI::App* run = app.add_subcommand("run", "Run each NIC of a scenario and write results");
    AddScenarioOptions(*run, options);
    run->add_option("--out", options.out, "Folder for results")->capture_default_str();
    run->add_option("--jobs", options.jobs, "NICs at a time")
        ->check(CLI::Range(1, MAX_JOBS))
        ->capture_default_str();
    run->add_flag("--quiet", options.isQuiet, "Say nothing but errors");
    CLI::App* check = app.add_subcommand("check", "Validate a scenario and print it resolved");
    AddScenarioOptions(*check, options);
    CLI::App* list = app.add_subcommand("list", "List what scenarios can name");
    list->add_option("topic", topic, "All if missing")->check(CLI::IsMember(GetListTopics()));
    list->add_option("--plugin", options.changes.plugins, "Shared library to load (repeatable)")
        ->allow_extra_args(false);

    try
    {
        app.parse(argc, argv);
    }
    catch (const CLI::ParseError& error)
    {
        if (error.get_exit_code() == 0)
        {
            return app.exit(error); // Help or version.
        }
        const std::string message = error.what();
        throw InputError(message.substr(0, message.find('\n')) + " (see rocelab --help)");
    }
    LoadPlugins(options.changes.plugins);
    if (run->parsed())
    {
        return RunCommand(options);
    }
    if (check->parsed())
    {
        std::cout << WriteScenario(ReadScenario(options.scenario, options.changes));
    }
    if (list->parsed())
    {
        ListCommand(topic);
    }
    return EXIT_GOOD;
}

} // namespace

int
main(int argc, char** argv)
{
    // Links of 400 Gb/s send a byte in 20 ps.
    ns3::Time::SetResolution(ns3::Time::PS);
    try
    {
        return Dispatch(argc, argv);
    }
    catch (const InputError& error)
    {
        std::cerr << "rocelab: " << error.what() << '\n';
        return EXIT_BAD_INPUT;
    }
    catch (const std::exception& error)
    {
        std::cerr << "rocelab: " << error.what() << '\n';
        return EXIT_ERROR;
    }
}
