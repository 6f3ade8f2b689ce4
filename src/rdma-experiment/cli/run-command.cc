// SPDX-License-Identifier: GPL-2.0-only

#include "run-command.h"

#include "progress-display.h"
#include "run-outcome.h"
#include "workload-warnings.h"

#include "ns3/input-error.h"
#include "ns3/run-plan.h"
#include "ns3/stop-signals.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <optional>

namespace ns3::rdma
{

namespace
{

using Clock = std::chrono::steady_clock;
using Phase = JobState::Phase;

/// Each NIC in a process of its own.
int
RunInProcesses(const RunPlan& plan, const RunCommandOptions& options)
{
    std::vector<SupervisedJob> jobs;
    for (const NicSpec& nic : plan.scenario.nics)
    {
        const NicJob job = MakeJob(plan, nic, RankGroup::GetSolo());
        jobs.push_back({nic.name, [job](JobChannel& channel) { return RunNicJob(job, channel); }});
    }
    RunSupervisor supervisor(std::move(jobs), options.jobs);
    ProgressDisplay display(options.isQuiet, options.isWatched);
    const auto states =
        supervisor.Run([&display](const std::vector<JobState>& all) { display.Show(all); },
                       [&](const JobState& job) {
                           display.Clear();
                           display.ShowEnd(job, plan.folder / job.name);
                           ReportTroubles(job, supervisor.IsInterrupted());
                       });
    display.Clear();
    RemoveLeftovers(plan);
    if (supervisor.IsInterrupted())
    {
        ReportInterruption(states);
    }
    return CombineStatus(states, supervisor.IsInterrupted());
}

/// Runs one NIC in this process, as a part of all ranks. @param states of all NICs, to be shown
void
RunTogether(const NicJob& job,
            std::vector<JobState>& states,
            size_t index,
            ProgressDisplay& display)
{
    JobState& state = states[index];
    const auto begin = Clock::now();
    const auto measure = [&state, begin] {
        state.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    };
    const bool isFirst = job.ranks->GetRank() == 0;
    JobMessageParser parser(
        [&](const RunProgress& progress) {
            state.progress = progress;
            measure();
            display.Show(states);
        },
        [&state](JobLine line) { state.lines.push_back(std::move(line)); });
    JobChannel channel(
        [&parser, isFirst](const std::string& message) {
            if (isFirst)
            {
                parser.Feed(message.data(), message.size());
            }
        },
        [] { return StopSignals::GetCount() > 0; });
    state.phase = Phase::RUNNING;
    state.exitStatus = RunNicJob(job, channel);
    state.phase = Phase::ENDED;
    measure();
}

/// All ranks together. @return whether any of them was signalled to stop, whatever its NIC made of
/// it
bool
IsStopRequested(RankGroup& ranks)
{
    const auto answers = ranks.Share(StopSignals::GetCount() > 0 ? "stop" : "");
    return std::any_of(answers.begin(), answers.end(), [](const std::string& answer) {
        return !answer.empty();
    });
}

/// One NIC after the other, each on all ranks.
int
RunOnRanks(const RunPlan& plan, const RunCommandOptions& options, RankGroup& ranks)
{
    const StopSignals signals;
    const bool isFirst = ranks.GetRank() == 0;
    ProgressDisplay display(options.isQuiet || !isFirst, options.isWatched);
    std::vector<JobState> states;
    for (const NicSpec& nic : plan.scenario.nics)
    {
        states.emplace_back().name = nic.name;
    }
    bool isInterrupted = IsStopRequested(ranks);
    for (size_t i = 0; i < states.size() && !isInterrupted; ++i)
    {
        RunTogether(MakeJob(plan, plan.scenario.nics[i], ranks), states, i, display);
        isInterrupted = IsStopRequested(ranks);
        if (isFirst)
        {
            display.Clear();
            display.ShowEnd(states[i], plan.folder / states[i].name);
            ReportTroubles(states[i], isInterrupted);
        }
    }
    if (isInterrupted && isFirst)
    {
        ReportInterruption(states);
    }
    return CombineStatus(states, isInterrupted);
}

} // namespace

int
RunCommand(const RunCommandOptions& options, RankGroup& ranks)
{
    // Results do not depend on the reader of the lines about them.
    std::signal(SIGPIPE, SIG_IGN);
    RunPlan plan;
    std::optional<ScenarioFolder> folder;
    ranks.Try([&] {
        if (options.out.empty())
        {
            throw InputError("--out: expected a folder, got an empty path");
        }
        plan = PlanRun(ReadScenario(options.scenario, options.changes),
                       options.out,
                       options.capture,
                       ranks.GetCount());
        plan.hasTimeline = options.hasTimeline;
        if (ranks.GetRank() == 0)
        {
            PrintWarnings(plan.scenario);
        }
        plan.isWatched = options.isWatched;
        if (ranks.GetRank() == 0)
        {
            folder.emplace(plan.folder);
            RemoveLeftovers(plan);
        }
    });
    return ranks.GetCount() == 1 ? RunInProcesses(plan, options) : RunOnRanks(plan, options, ranks);
}

} // namespace ns3::rdma
