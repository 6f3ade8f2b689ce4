// SPDX-License-Identifier: GPL-2.0-only

#include "run-command.h"

#include "progress-display.h"

#include "ns3/exit-status.h"
#include "ns3/input-error.h"
#include "ns3/nic-job.h"
#include "ns3/result-folder.h"
#include "ns3/run-captures.h"
#include "ns3/run-supervisor.h"
#include "ns3/scenario-builder.h"
#include "ns3/scenario-writer.h"
#include "ns3/simulation-run.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <iostream>

namespace ns3::rdma
{

namespace
{

namespace fs = std::filesystem;

using Kind = JobLine::Kind;
using Phase = JobState::Phase;

SupervisedJob
MakeJob(const Scenario& scenario,
        const NicSpec& nic,
        const CaptureRequest& capture,
        const fs::path& folder,
        uint64_t flowsTotal)
{
    NicJob job;
    job.folder = folder / nic.name;
    job.scenarioText = WriteRunScenario(scenario, nic);
    job.flowsTotal = flowsTotal;
    job.simulate = [scenario, nic, capture](const fs::path& own, FlowLog& log, const auto& go) {
        SimulationRun run(scenario, nic);
        RunCaptures captures(run.GetFabric(), capture, own);
        RunReport report = run.Run(log, go);
        captures.Close();
        return report;
    };
    return {nic.name, [job](JobChannel& channel) { return RunNicJob(job, channel); }};
}

/// The folders of a path that do not exist yet, deepest first.
std::vector<fs::path>
FindMissingFolders(fs::path path)
{
    std::vector<fs::path> missing;
    std::error_code ignored;
    while (!path.empty() && !fs::exists(path, ignored))
    {
        missing.push_back(path);
        path = path.parent_path();
    }
    return missing;
}

/// Makes the folder of the scenario; removes it again if nothing was put there.
class ScenarioFolder
{
  public:
    explicit ScenarioFolder(const fs::path& path)
        : m_made(FindMissingFolders(path))
    {
        std::error_code error;
        fs::create_directories(path, error);
        if (error)
        {
            RemoveEmpty();
            throw InputError(path.string() +
                             ": expected a folder that can be written, got: " + error.message());
        }
    }

    ~ScenarioFolder()
    {
        RemoveEmpty();
    }

    ScenarioFolder(const ScenarioFolder&) = delete;
    ScenarioFolder& operator=(const ScenarioFolder&) = delete;

  private:
    void RemoveEmpty() const
    {
        for (const fs::path& path : m_made)
        {
            std::error_code ignored;
            fs::remove(path, ignored); // Fails unless it is empty.
        }
    }

    std::vector<fs::path> m_made;
};

/// What a job that was killed or failed has to say, else its lines about flows and invariants.
void
ReportTroubles(const JobState& job, bool isInterrupted)
{
    const std::string begin = "rocelab: " + job.name + ": ";
    if (job.signal != 0)
    {
        std::cerr << begin
                  << (isInterrupted && job.signal == SIGKILL
                          ? std::string("stopped at once")
                          : "the process died from signal " + std::to_string(job.signal) + " (" +
                                strsignal(job.signal) + ")")
                  << ", no results\n";
    }
    for (const Kind kind : {Kind::FAILURE, Kind::VIOLATION, Kind::TROUBLE})
    {
        for (const std::string& line : job.GetLines(kind))
        {
            std::cerr << begin << line << '\n';
        }
    }
}

void
ReportInterruption(const std::vector<JobState>& jobs)
{
    std::string line = "rocelab: interrupted";
    for (const JobState& job : jobs)
    {
        const auto results = job.GetLines(Kind::RESULT);
        const std::string state = job.phase == Phase::WAITING ? "not run"
                                  : results.empty()           ? "no results"
                                                              : results.front();
        line += "; " + job.name + ": " + state;
    }
    std::cerr << line << '\n';
}

/// The worst of all, where a crash is worse than bad input, and so on.
int
CombineStatus(const std::vector<JobState>& jobs, bool isInterrupted)
{
    const auto has = [&jobs](int status) {
        return std::any_of(jobs.begin(), jobs.end(), [status](const JobState& job) {
            return job.phase == Phase::ENDED && job.signal == 0 && job.exitStatus == status;
        });
    };
    const bool isKilled =
        std::any_of(jobs.begin(), jobs.end(), [](const JobState& job) { return job.signal != 0; });
    if (isInterrupted)
    {
        return EXIT_INTERRUPTED;
    }
    if (isKilled || has(EXIT_ERROR))
    {
        return EXIT_ERROR;
    }
    for (const int status : {EXIT_BAD_INPUT, EXIT_VIOLATION, EXIT_STALLED, EXIT_INTERRUPTED})
    {
        if (has(status))
        {
            return status;
        }
    }
    return EXIT_GOOD;
}

} // namespace

int
RunCommand(const RunCommandOptions& options)
{
    const Scenario scenario = ReadScenario(options.scenario, options.changes);
    const fs::path folder = fs::path(options.out) / scenario.name;
    for (const NicSpec& nic : scenario.nics)
    {
        ResultFolder::CheckWritable(folder / nic.name);
    }
    const TopologyGraph graph = MakeTopology(scenario);
    const CaptureRequest capture = ResolveCapture(options.capture, graph);
    const auto source = MakeFlowSource(scenario, graph);
    const uint64_t flowsTotal = source->GetFlowCount().value_or(0);
    const ScenarioFolder scenarioFolder(folder);
    std::vector<SupervisedJob> jobs;
    for (const NicSpec& nic : scenario.nics)
    {
        ResultFolder::RemoveLeftovers(folder / nic.name);
        jobs.push_back(MakeJob(scenario, nic, capture, folder, flowsTotal));
    }

    RunSupervisor supervisor(std::move(jobs), options.jobs);
    ProgressDisplay display(options.isQuiet);
    const auto states =
        supervisor.Run([&display](const std::vector<JobState>& all) { display.Show(all); },
                       [&](const JobState& job) {
                           display.Clear();
                           display.ShowEnd(job, folder / job.name);
                           ReportTroubles(job, supervisor.IsInterrupted());
                       });
    display.Clear();

    for (const NicSpec& nic : scenario.nics)
    {
        ResultFolder::RemoveLeftovers(folder / nic.name);
    }
    if (supervisor.IsInterrupted())
    {
        ReportInterruption(states);
    }
    return CombineStatus(states, supervisor.IsInterrupted());
}

} // namespace ns3::rdma
