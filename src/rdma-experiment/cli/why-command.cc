// SPDX-License-Identifier: GPL-2.0-only

#include "why-command.h"

#include "progress-display.h"
#include "whole-number.h"

#include "ns3/account-report.h"
#include "ns3/exit-status.h"
#include "ns3/flow-rerun.h"
#include "ns3/input-error.h"

#include <iostream>

namespace ns3::rdma
{

namespace
{

/// @return what is wrong, or nothing
std::string
CheckFlowNumber(const std::string& text)
{
    return CheckWholeNumber(text, "the number of a flow, as in flows.csv");
}

RerunOutcome
RepeatWithDisplay(const RecordedRun& run, const std::optional<uint64_t>& flow)
{
    ProgressDisplay display(false);
    std::vector<JobState> states(1);
    states.front().name = run.GetScenario().nics.front().name;
    states.front().phase = JobState::Phase::RUNNING;
    RerunOutcome outcome = RepeatRun(run, flow, [&](const RunProgress& progress) {
        states.front().progress = progress;
        display.Show(states);
    });
    display.Clear();
    return outcome;
}

} // namespace

CLI::App*
AddWhyCommand(CLI::App& app, WhyCommandOptions& options)
{
    CLI::App* command =
        app.add_subcommand("why", "Repeat a run and say where the time of a flow went");
    command->add_option("result", options.run.folder, "Results of one NIC: results/NAME/NIC")
        ->required();
    CLI::Option* const flow = command->add_option("flow", options.flow, "Its number in flows.csv")
                                  ->check(CheckFlowNumber);
    CLI::Option* const all =
        command->add_flag("--all", options.isOfAll, "All flows, one line of CSV each")
            ->excludes(flow);
    command->add_flag("--json", options.hasJson, "As JSON")->excludes(all);
    command->add_option("--base",
                        options.run.baseDirectory,
                        "Folder where the scenario's paths start (default: the current one)");
    command
        ->add_option("--plugin",
                     options.run.plugins,
                     "Shared library that the run was made with (repeatable)")
        ->allow_extra_args(false);
    return command;
}

int
WhyCommand(const WhyCommandOptions& options)
{
    if (!options.flow && !options.isOfAll)
    {
        throw InputError("why: expected the number of a flow or --all, got neither");
    }
    const RecordedRun run(options.run);
    if (options.flow)
    {
        run.GetCompleted(*options.flow); // Throws before anything is simulated.
    }
    const RerunOutcome outcome = RepeatWithDisplay(run, options.flow);
    const std::string& nic = run.GetScenario().nics.front().name;
    if (options.isOfAll)
    {
        WriteTable(outcome.flows, std::cout);
    }
    else if (options.hasJson)
    {
        WriteJson(outcome.flows.front(), outcome.ports, nic, std::cout);
    }
    else
    {
        WriteText(outcome.flows.front(), outcome.ports, nic, std::cout);
    }
    return EXIT_GOOD;
}

} // namespace ns3::rdma
