// SPDX-License-Identifier: GPL-2.0-only

#include "scenario-options.h"

#include "whole-number.h"

namespace ns3::rdma
{

void
AddScenarioOptions(CLI::App& command, ScenarioOptions& options)
{
    ScenarioChanges& changes = options.changes;
    command.add_option("scenario", options.scenario, "Scenario file (JSON)")->required();
    command
        .add_option("--nic", changes.nics, "NIC of the scenario, or preset, to run (repeatable)")
        ->allow_extra_args(false);
    command
        .add_option("--set",
                    changes.sets,
                    "Key of the scenario, PATH=VALUE, as workload.load=0.5 (repeatable)")
        ->allow_extra_args(false);
    command.add_option("--base",
                       changes.baseDirectory,
                       "Folder where the scenario's paths start (default: that of the file)");
    AddPluginOption(command, changes.plugins);
    command.add_flag("--series",
                     changes.hasSeries,
                     "Time series of queues, ports, buffers, rates (default: as in the scenario)");
    command.add_option("--seed", changes.seed, "Random seed, in place of run.seed")
        ->check(CheckSeed);
}

void
AddPluginOption(CLI::App& command, std::vector<std::string>& plugins)
{
    command.add_option("--plugin", plugins, "Shared library to load (repeatable)")
        ->allow_extra_args(false);
}

std::string
CheckSeed(const std::string& text)
{
    return CheckWholeNumber(text, "a whole number from 0 to 2^64 - 1");
}

} // namespace ns3::rdma
