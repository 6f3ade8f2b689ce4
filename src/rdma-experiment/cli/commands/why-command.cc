// SPDX-License-Identifier: GPL-2.0-only

#include "../command.h"
#include "../progress-display.h"
#include "../whole-number.h"

#include "ns3/account-report.h"
#include "ns3/exit-status.h"
#include "ns3/flow-rerun.h"
#include "ns3/input-error.h"
#include "ns3/recorded-run.h"

#include <cstdint>
#include <iostream>
#include <optional>
#include <string>

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

/// Repeats a run and prints where the time of flows was spent.
class WhyCommand : public Command
{
  public:
    WhyCommand()
        : Command({"why",
                   "Repeat a run and print the causes of a flow's time",
                   "  rocelab why results/compare/lossy/srnic 40\n"
                   "  rocelab why results/compare/lossy/srnic --all > why.csv",
                   130})
    {
    }

    void AddOptions(CLI::App& command) override;

    std::vector<std::string> GetPlugins() const override
    {
        return m_run.plugins;
    }

    int Run(const CommandContext& context) override;

  private:
    RecordedRunOptions m_run;
    std::optional<uint64_t> m_flow;
    std::string m_workload; ///< Of the flow; empty: the scenario has no list of workloads.
    bool m_isOfAll{false};
    bool m_hasJson{false};
};

void
WhyCommand::AddOptions(CLI::App& command)
{
    command.add_option("result", m_run.folder, "Result folder of one NIC: results/NAME/NIC")
        ->required();
    CLI::Option* const flow = command.add_option("flow", m_flow, "Number of the flow in flows.csv")
                                  ->check(CheckFlowNumber);
    CLI::Option* const all =
        command.add_flag("--all", m_isOfAll, "All flows, one line of CSV each")->excludes(flow);
    command.add_option("--workload", m_workload, "Workload of the flow, in a list of workloads")
        ->needs(flow);
    command.add_flag("--json", m_hasJson, "Result as JSON instead of a text")->excludes(all);
    command.add_option(
        "--base",
        m_run.baseDirectory,
        "Folder where the scenario's paths start (default: as recorded in the results)");
    command.add_option("--plugin", m_run.plugins, "Shared library of the run (repeatable)")
        ->allow_extra_args(false);
}

int
WhyCommand::Run(const CommandContext&)
{
    if (!m_flow && !m_isOfAll)
    {
        throw InputError("why: expected the number of a flow or --all, got neither");
    }
    const RecordedRun run(m_run);
    if (m_flow)
    {
        m_flow = run.FindFlow(*m_flow, m_workload);
        run.GetCompleted(*m_flow); // Throws before anything is simulated.
    }
    const RerunOutcome outcome = RepeatWithDisplay(run, m_flow);
    const std::string& nic = run.GetScenario().nics.front().name;
    if (m_isOfAll)
    {
        WriteTable(outcome.flows, run.GetWorkloads(), std::cout);
    }
    else if (m_hasJson)
    {
        WriteJson(outcome.flows.front(), outcome.ports, nic, run.GetWorkloads(), std::cout);
    }
    else
    {
        WriteText(outcome.flows.front(), outcome.ports, nic, run.GetWorkloads(), std::cout);
    }
    return EXIT_GOOD;
}

const RegisteredCommand<WhyCommand> REGISTERED;

} // namespace

} // namespace ns3::rdma
