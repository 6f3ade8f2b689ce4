// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/run-plan.h"

#include "ns3/flow-graph.h"
#include "ns3/input-error.h"
#include "ns3/opcode.h"
#include "ns3/rdma-nic.h"
#include "ns3/result-folder.h"
#include "ns3/run-captures.h"
#include "ns3/run-cost.h"
#include "ns3/run-design.h"
#include "ns3/run-timeline.h"
#include "ns3/scenario-builder.h"
#include "ns3/scenario-writer.h"
#include "ns3/simulation-run.h"
#include "ns3/workload-keys.h"

#include <memory>
#include <utility>

namespace ns3::rdma
{

namespace
{

namespace fs = std::filesystem;

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

/// @return 0 if that is not known: a fluid ends flows unseen, precision comes at any time, and
/// random arrivals are not counted beyond what takes a second.
uint64_t
CountFlows(RunInput& input, const std::function<void()>& poll)
{
    const Scenario& scenario = input.GetScenario();
    constexpr uint64_t MAX_COUNTED{10'000'000};
    constexpr uint64_t POLL_FLOWS{1 << 16};
    if (!scenario.run.fluidStart.IsZero() || scenario.run.precision != 0 || HasTraffic(scenario))
    {
        return 0;
    }
    MergedFlowSource& source = input.StartFlows();
    if (!GetLastTime(scenario))
    {
        return source.GetFlowCount().value_or(0);
    }
    uint64_t count = 0;
    for (const auto& [workload, graph] : source.GetGraphs())
    {
        if (scenario.workloads[workload]->GetPlace().end)
        {
            return 0; // Its later operations do not start.
        }
        count += graph->GetCount();
    }
    if (const auto known = source.GetFlowCount(); known && source.GetGraphs().empty())
    {
        return *known <= MAX_COUNTED ? *known : 0;
    }
    while (count <= MAX_COUNTED && source.Next())
    {
        ++count;
        if (poll && count % POLL_FLOWS == 0)
        {
            poll();
        }
    }
    return count <= MAX_COUNTED ? count : 0;
}

/// What all ranks have seen. @param report of the first rank counts
void
WriteTimeline(RunTimeline& timeline,
              RankGroup& ranks,
              const fs::path& folder,
              const RunReport& report)
{
    ranks.CollectAtFirst([&](ByteBuffer& buffer) { timeline.Pack(buffer); },
                         [&](ByteReader& reader) { timeline.Unpack(reader); });
    ranks.Try([&] {
        if (ranks.GetRank() == 0)
        {
            timeline.Write(folder / "timeline.json",
                           report.simulatedPs,
                           report.isPartial ? RunTimeline::MAX_LATE_EVENTS
                                            : RunTimeline::MAX_EVENTS);
        }
    });
}

/// @throws InputError if a server to be captured has a NIC whose frames have sizes only
void
CheckFormats(const Scenario& scenario, const CaptureRequest& capture)
{
    for (const NicSpec& nic : scenario.nics)
    {
        for (const uint32_t server : capture.servers)
        {
            const DesignSpec* design = FindDesign(scenario, nic, server);
            if (!design)
            {
                continue;
            }
            AttributeValues values;
            for (const auto& [name, text] : design->attributes)
            {
                values.Set(name, text);
            }
            const auto format = values.Create<RdmaNic>()->MakeWireFormat();
            if (format->GetFixedBytes(opcode::ACK) > 0)
            {
                throw InputError("--pcap: expected frames of RoCE v2, got " +
                                 format->GetInstanceTypeId().GetName() + " of the NIC \"" +
                                 nic.name + "\", which has sizes only");
            }
        }
    }
}

/// One NIC, from taps to report. @param folder for captures
RunReport
Simulate(const RunPlan& plan,
         const NicSpec& nic,
         RankGroup& ranks,
         const fs::path& folder,
         FlowLog& log,
         const std::function<bool(const RunProgress&)>& go)
{
    std::unique_ptr<RunTimeline> timeline; // Outlives the run, which calls it.
    std::unique_ptr<SimulationRun> run;
    std::unique_ptr<RunCaptures> captures; // Goes before the fabric.
    ranks.Try([&] {
        run = std::make_unique<SimulationRun>(*plan.prepared, nic, ranks);
        run->StreamTo(folder);
        CaptureRequest own{{}, plan.capture.filter};
        for (const uint32_t server : plan.capture.servers)
        {
            if (run->IsHere(server))
            {
                own.servers.push_back(server);
            }
        }
        captures = std::make_unique<RunCaptures>(run->GetFabric(), own, folder);
        if (plan.isWatched)
        {
            run->Watch();
        }
        if (plan.hasTimeline)
        {
            timeline = std::make_unique<RunTimeline>(
                run->GetFabric(),
                [&](uint32_t id) { return run->IsHere(id); },
                GetWorkloadNames(plan.GetScenario()));
            log.SetListener([&](const FlowRecord& record) { timeline->AddFlow(record); });
        }
    });
    RunReport report = run->Run(log, go);
    ranks.Try([&] { captures->Close(); });
    if (timeline)
    {
        WriteTimeline(*timeline, ranks, folder, report);
    }
    run->WriteSeries(folder / "series");
    return report;
}

/// @return the folder where the scenario's paths start, as seen from a result folder; empty if no
/// relative path leads there
std::string
FindBase(const RunPlan& plan, const fs::path& folder)
{
    const std::string& base = plan.GetScenario().baseDirectory;
    std::error_code error;
    const fs::path path = fs::relative(base.empty() ? "." : base, folder, error);
    return error ? "" : path.string();
}

} // namespace

RunPlan
PlanRun(std::shared_ptr<PreparedScenario> prepared,
        const std::string& out,
        const CaptureWords& capture,
        uint32_t ranks,
        const std::function<void()>& poll)
{
    RunPlan plan;
    plan.prepared = std::move(prepared);
    RunInput& input = plan.prepared->input;
    const Scenario& scenario = plan.GetScenario();
    plan.folder = fs::path(out) / scenario.name;
    for (const NicSpec& nic : scenario.nics)
    {
        ResultFolder::CheckWritable(plan.folder / nic.name);
    }
    const TopologyGraph& graph = input.GetTopology();
    MakePartition(scenario, graph, ranks);
    CheckFlowsFit(input);
    plan.capture = ResolveCapture(capture, graph);
    CheckFormats(scenario, plan.capture);
    plan.flowsTotal = CountFlows(input, poll);
    plan.digest = MakeDigest(scenario);
    return plan;
}

NicJob
MakeJob(const RunPlan& plan, const NicSpec& nic, RankGroup& ranks)
{
    NicJob job;
    job.folder = plan.folder / nic.name;
    job.scenarioText =
        WriteRunScenario(plan.GetScenario(), nic, plan.digest, FindBase(plan, job.folder));
    job.workloads = GetWorkloadNames(plan.GetScenario());
    job.flowsTotal = plan.flowsTotal;
    job.simulate = [&plan, &nic, &ranks](const fs::path& folder, FlowLog& log, const auto& go) {
        return Simulate(plan, nic, ranks, folder, log, go);
    };
    job.ranks = &ranks;
    return job;
}

void
RemoveLeftovers(const RunPlan& plan)
{
    for (const NicSpec& nic : plan.GetScenario().nics)
    {
        ResultFolder::RemoveLeftovers(plan.folder / nic.name);
    }
}

ScenarioFolder::ScenarioFolder(const fs::path& path)
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

ScenarioFolder::~ScenarioFolder()
{
    RemoveEmpty();
}

void
ScenarioFolder::RemoveEmpty() const
{
    for (const fs::path& path : m_made)
    {
        std::error_code ignored;
        fs::remove(path, ignored); // Fails unless it is empty.
    }
}

} // namespace ns3::rdma
