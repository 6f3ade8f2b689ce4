// SPDX-License-Identifier: GPL-2.0-only

#include "../command.h"
#include "../mpi-rank-group.h"
#include "../progress-display.h"
#include "../rank-launcher.h"
#include "../rank-link.h"
#include "../rank-options.h"
#include "../run-outcome.h"
#include "../scenario-options.h"
#include "../usable-cores.h"
#include "../workload-warnings.h"

#include "ns3/capture-request.h"
#include "ns3/input-error.h"
#include "ns3/run-plan.h"
#include "ns3/scenario-builder.h"
#include "ns3/stop-signals.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace ns3::rdma
{

namespace
{

using Clock = std::chrono::steady_clock;
using Phase = JobState::Phase;

/// Values of the options that are not about the scenario.
struct RunOptions
{
    std::string out{"results"};
    unsigned jobs{1};
    std::string ranks; ///< CheckRanks() accepts it; empty: those of mpirun, or one.
    bool isQuiet{false};
    bool isWatched{false};
    bool hasTimeline{false};
    CaptureWords capture;
};

/// Each NIC in a process of its own.
int
RunInProcesses(const RunPlan& plan, const RunOptions& options)
{
    std::vector<SupervisedJob> jobs;
    for (const NicSpec& nic : plan.GetScenario().nics)
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
RunOnRanks(const RunPlan& plan, const RunOptions& options, RankGroup& ranks)
{
    const StopSignals signals;
    const bool isFirst = ranks.GetRank() == 0;
    ProgressDisplay display(options.isQuiet || !isFirst, options.isWatched);
    std::vector<JobState> states;
    for (const NicSpec& nic : plan.GetScenario().nics)
    {
        states.emplace_back().name = nic.name;
    }
    bool isInterrupted = IsStopRequested(ranks);
    for (size_t i = 0; i < states.size() && !isInterrupted; ++i)
    {
        RunTogether(MakeJob(plan, plan.GetScenario().nics[i], ranks), states, i, display);
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

void
AddCaptureOptions(CLI::App& command, CaptureWords& words)
{
    CLI::Option* const wanted =
        command.add_flag("--pcap", words.isWanted, "Capture of each server's port: host-ID.pcap");
    command.add_option("--pcap-hosts", words.hosts, "Captured servers: 0,3 (all)")->needs(wanted);
    command.add_option("--pcap-qps", words.queuePairs, "Captured queue pairs: 2,17 (all)")
        ->needs(wanted);
    command
        .add_option("--pcap-opcodes", words.opcodes, "Captured opcodes: 0x81,rc-acknowledge (all)")
        ->needs(wanted);
    command.add_flag("!--pcap-headers", words.hasPayload, "Captures without payload")
        ->needs(wanted);
}

/// Runs all NICs of a scenario, alone or together with other ranks.
class RunCommand : public Command
{
  public:
    RunCommand()
        : Command(
              {"run",
               "Run each NIC of a scenario and write results",
               "  rocelab run my.json                              every NIC of the scenario\n"
               "  rocelab run my.json --nic srnic --seed 2 --watch one of them, with a live view\n"
               "  rocelab run my.json --set workload.load=0.5 --series\n"
               "  rocelab run my.json --ranks auto                 each NIC on all cores together",
               10})
    {
    }

    void AddOptions(CLI::App& command) override;

    std::vector<std::string> GetPlugins() const override
    {
        return m_scenario.changes.plugins;
    }

    bool IsForRanks() const override
    {
        return true;
    }

    int Run(const CommandContext& context) override;

  private:
    RunPlan Plan(std::shared_ptr<PreparedScenario> prepared, RankGroup& ranks) const;
    uint32_t CountRanksToStart(std::shared_ptr<PreparedScenario>& prepared) const;
    void CheckRanksAreOurs() const;

    ScenarioOptions m_scenario;
    RunOptions m_options;
};

void
RunCommand::AddOptions(CLI::App& command)
{
    constexpr int MAX_JOBS{1024};
    m_options.jobs = CountUsableCores();
    AddScenarioOptions(command, m_scenario);
    command.add_option("--out", m_options.out, "Folder for results")->capture_default_str();
    command.add_option("--jobs", m_options.jobs, "NICs at a time")
        ->check(CLI::Range(1, MAX_JOBS))
        ->capture_default_str();
    command
        .add_option("--ranks",
                    m_options.ranks,
                    "Processes that simulate each NIC's fabric together: auto, or a number")
        ->check([](const std::string& text) { return CheckRanks(text, MAX_STARTED_RANKS); });
    CLI::Option* const quiet =
        command.add_flag("--quiet", m_options.isQuiet, "No output but errors");
    command
        .add_flag("--watch",
                  m_options.isWatched,
                  "Live view of flows, goodput, the fullest queues, drops and pauses")
        ->excludes(quiet);
    command.add_flag("--timeline",
                     m_options.hasTimeline,
                     "File timeline.json of Chrome trace events, for Perfetto");
    AddCaptureOptions(command, m_options.capture);
}

/// A user's mpirun starts all ranks itself.
void
RunCommand::CheckRanksAreOurs() const
{
    if (!m_options.ranks.empty() && MpiRankGroup::IsStartedByLauncher() && !RankLink::IsExpected())
    {
        throw InputError("--ranks: expected no mpirun or srun beside it, which starts the ranks");
    }
}

/// @param[out] prepared the scenario, if it was needed
/// @return the ranks that this process is to start; 1: none, it runs the scenario itself
uint32_t
RunCommand::CountRanksToStart(std::shared_ptr<PreparedScenario>& prepared) const
{
    if (m_options.ranks.empty() || MpiRankGroup::IsStartedByLauncher())
    {
        return 1;
    }
    prepared = PrepareScenario(m_scenario.scenario, m_scenario.changes);
    if (m_options.ranks != AUTOMATIC_RANKS)
    {
        const auto count = static_cast<uint32_t>(std::stoul(m_options.ranks));
        // Bad input ends this process in milliseconds, and mpirun in seconds.
        MakePartition(prepared->scenario, prepared->input.GetTopology(), count);
        return count;
    }
    const auto nics = static_cast<uint32_t>(prepared->scenario.nics.size());
    return ChooseRanks(prepared->input,
                       {CountUsableCores(), std::min<uint32_t>(nics, m_options.jobs)});
}

RunPlan
RunCommand::Plan(std::shared_ptr<PreparedScenario> prepared, RankGroup& ranks) const
{
    CheckRanksAreOurs();
    if (m_options.out.empty())
    {
        throw InputError("--out: expected a folder, got an empty path");
    }
    prepared =
        prepared ? std::move(prepared) : PrepareScenario(m_scenario.scenario, m_scenario.changes);
    RunPlan plan = PlanRun(std::move(prepared), m_options.out, m_options.capture, ranks.GetCount());
    plan.hasTimeline = m_options.hasTimeline;
    plan.isWatched = m_options.isWatched;
    return plan;
}

int
RunCommand::Run(const CommandContext& context)
{
    // Results do not depend on the reader of the lines about them.
    std::signal(SIGPIPE, SIG_IGN);
    // A file beyond the limit of its size is a failed write, which has a line with its name.
    std::signal(SIGXFSZ, SIG_IGN);
    RankGroup& ranks = context.ranks;
    std::shared_ptr<PreparedScenario> prepared;
    if (const uint32_t count = CountRanksToStart(prepared); count > 1)
    {
        prepared.reset(); // Its memory is for the ranks.
        return RankLauncher(count).Run(context.argc, context.argv);
    }
    RunPlan plan;
    std::optional<ScenarioFolder> folder;
    ranks.Try([&] {
        plan = Plan(prepared, ranks);
        if (ranks.GetRank() == 0)
        {
            PrintWarnings(plan.prepared->input);
            folder.emplace(plan.folder);
            RemoveLeftovers(plan);
        }
    });
    return ranks.GetCount() == 1 ? RunInProcesses(plan, m_options)
                                 : RunOnRanks(plan, m_options, ranks);
}

const RegisteredCommand<RunCommand> REGISTERED;

} // namespace

} // namespace ns3::rdma
