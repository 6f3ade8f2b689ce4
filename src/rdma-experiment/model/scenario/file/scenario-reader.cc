// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/scenario-reader.h"

#include "ns3/attribute-use.h"
#include "ns3/class-keys.h"
#include "ns3/fabric-keys.h"
#include "ns3/input-error.h"
#include "ns3/json-document.h"
#include "ns3/kernel-keys.h"
#include "ns3/key-reader.h"
#include "ns3/link-event-keys.h"
#include "ns3/link-loss-keys.h"
#include "ns3/link-policy-keys.h"
#include "ns3/link-rate-keys.h"
#include "ns3/name-suggestion.h"
#include "ns3/nic-keys.h"
#include "ns3/nic-presets.h"
#include "ns3/pause-storm-keys.h"
#include "ns3/peer-check.h"
#include "ns3/run-keys.h"
#include "ns3/scenario-builder.h"
#include "ns3/scenario-keys.h"
#include "ns3/scenario-override.h"
#include "ns3/series-keys.h"
#include "ns3/server-group.h"
#include "ns3/server-ports-keys.h"
#include "ns3/workload-keys.h"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace ns3::rdma
{

namespace
{

using Json = nlohmann::json;

Json
ReadDocument(const std::string& file, const ScenarioChanges& changes)
{
    Json document = changes.text ? ParseJson(*changes.text, file) : ReadJsonFile(file);
    if (changes.hasSeries && document.is_object() && !document.contains("series"))
    {
        document["series"] = Json::object(); // All of them, as their defaults say.
    }
    for (const std::string& set : changes.sets)
    {
        ApplyOverride(document, set);
    }
    if (changes.seed)
    {
        ApplyOverride(document, "run.seed=" + std::to_string(*changes.seed));
    }
    return document;
}

/// Removes the record of a result's scenario.json, which changes nothing about the run.
/// @return the folder where its paths start; empty: none is recorded
std::string
TakeRecord(Json& document, const std::string& file)
{
    const auto record = document.is_object() ? document.find("rocelab") : document.end();
    if (record == document.end() || !record->is_object() || !record->contains("version"))
    {
        return "";
    }
    const auto base = record->find("base");
    const std::filesystem::path folder = std::filesystem::path(file).parent_path();
    std::string start = base != record->end() && base->is_string()
                            ? (folder / base->get<std::string>()).lexically_normal().string()
                            : "";
    document.erase(record);
    return start;
}

/// @return whether any flow starts after the fluid, or is under way at its end.
bool
IsAnyLeftByFluid(RunInput& input)
{
    const int64_t untilPs = input.GetScenario().run.fluidStart.GetPicoSeconds();
    FlowSource& source = input.StartFlows();
    while (const auto flow = source.Next())
    {
        if (flow->startPs >= untilPs)
        {
            return true; // No need to run the fluid, which may take seconds.
        }
    }
    return input.StartRunFlows()->Next().has_value();
}

/// The NICs of the scenario in the order the user named them; presets need not be in the scenario.
std::vector<NicSpec>
SelectNics(const std::vector<NicSpec>& nics,
           const std::vector<std::string>& names,
           const AttributeMap& attributes)
{
    std::vector<NicSpec> selected;
    for (const std::string& name : names)
    {
        const auto isNamed = [&name](const NicSpec& nic) { return nic.name == name; };
        if (std::any_of(selected.begin(), selected.end(), isNamed))
        {
            continue;
        }
        const auto found = std::find_if(nics.begin(), nics.end(), isNamed);
        if (found != nics.end())
        {
            selected.push_back(*found);
        }
        else if (FindNicPreset(name))
        {
            const Json list = Json::array({name});
            selected.push_back(ReadNics(JsonValue(list, "--nic", "$"), attributes).front());
        }
        else
        {
            std::vector<std::string> known;
            for (const NicSpec& nic : nics)
            {
                known.push_back(nic.name);
            }
            for (const NicPreset& preset : GetNicPresets())
            {
                if (std::find(known.begin(), known.end(), preset.name) == known.end())
                {
                    known.push_back(preset.name);
                }
            }
            throw InputError("--nic: expected a NIC of the scenario or a preset (" +
                             DescribeNearest(name, known) + "), got " + DescribeJson(name));
        }
    }
    return selected;
}

/// The parts that stand in the file, before anything is built from them. @param base where its
/// paths start; empty: in the folder of the file
Scenario
ReadParts(const JsonValue& root, const ScenarioChanges& changes, const std::string& base)
{
    ScenarioKeys file;
    Scenario& scenario = file.scenario;
    scenario.file = root.GetFile();
    scenario.baseDirectory =
        base.empty() ? std::filesystem::path(scenario.file).parent_path().string() : base;
    std::vector<NicSpec> all; // Those of the file and those of --nic.
    file.resolveNics = [&](const JsonValue& value) {
        all = ResolveNics(file.nics, value, scenario.attributes);
        scenario.nics =
            changes.nics.empty() ? all : SelectNics(all, changes.nics, scenario.attributes);
        all.insert(all.end(), scenario.nics.begin(), scenario.nics.end());
    };
    ReadKeyed(root, file, VisitScenario, MakeContext(scenario.groups));
    CheckFabricAttributes(root.Get("fabric"), scenario, all);
    CheckClassMarkings(root, scenario);
    CheckOwnEcn(root, scenario);
    if (const auto shared = root.Find("attributes"))
    {
        CheckSharedAttributes(*shared, scenario.attributes, all);
    }
    if (const auto kernels = root.Find("kernels"))
    {
        CheckKernels(scenario, *kernels);
    }
    if (const auto run = root.Find("run"))
    {
        CheckRun(scenario, *run);
    }
    if (scenario.series)
    {
        CompleteSeries(scenario);
    }
    for (const std::string& plugin : changes.plugins)
    {
        scenario.plugins.push_back(std::filesystem::path(plugin).filename().string());
    }
    return std::move(scenario);
}

/// Flows without end at one time are found before any of them is made.
void
CheckBeginning(FlowSource& source, const FlowArrival& first)
{
    for (std::optional<FlowArrival> next = first; next && next->startPs == first.startPs;)
    {
        next = source.Next();
    }
}

/// The fluid is for flows alone, and some of them are left after it.
void
CheckFluidStart(RunInput& input, const JsonValue& fluidStart)
{
    const Scenario& scenario = input.GetScenario();
    if (!input.GetGraphs().empty())
    {
        fluidStart.Fail("a workload whose flows depend on nothing with it", "a graph");
    }
    for (const auto& workload : scenario.workloads)
    {
        if (workload->GetFlowOperation() == WrOpcode::RDMA_READ)
        {
            fluidStart.Fail("a workload with operation write or send with it", "read");
        }
        if (workload->HasTraffic())
        {
            fluidStart.Fail("a workload of flows alone with it", workload->GetInfo().name);
        }
    }
    if (!IsAnyLeftByFluid(input))
    {
        fluidStart.Fail("a time before the last flow has ended");
    }
}

/// The workloads have flows, some of them after their beginning as a fluid.
void
CheckFlows(RunInput& input, const JsonValue& root)
{
    const Scenario& scenario = input.GetScenario();
    MergedFlowSource& source = input.StartFlows();
    const auto first = source.Next();
    if (!first && input.GetGraphs().empty() && !HasTraffic(scenario))
    {
        root.Get(HasWorkloadList(scenario) ? "workloads" : "workload")
            .Fail("at least one flow", "none");
    }
    if (first && !source.GetFlowCount())
    {
        CheckBeginning(source, *first);
    }
    if (!scenario.run.fluidStart.IsZero())
    {
        CheckFluidStart(input, root.Get("run").Get("fluidStart"));
    }
}

} // namespace

Scenario
ReadScenario(const std::string& file, const ScenarioChanges& changes)
{
    return std::move(PrepareScenario(file, changes)->scenario);
}

std::unique_ptr<PreparedScenario>
PrepareScenario(const std::string& file, const ScenarioChanges& changes)
{
    Json document = ReadDocument(file, changes);
    const std::string recordedBase = TakeRecord(document, file);
    const JsonValue root(document, file, "$");
    auto prepared = std::make_unique<PreparedScenario>();
    Scenario& scenario = prepared->scenario;
    scenario = ReadParts(root,
                         changes,
                         changes.baseDirectory.empty() ? recordedBase : changes.baseDirectory);
    CheckServerPorts(scenario.fabric.ports, scenario.groups, root.Get("fabric"));
    const TopologyGraph& graph = prepared->input.GetTopology();
    if (const auto groups = root.Find("groups"))
    {
        CheckServerGroups(scenario.groups, graph, *groups);
    }
    CheckDefaults(root.Get("nics"), scenario, graph);
    CompleteEcn(scenario.fabric, graph, root.Get("fabric"));
    CheckSwitchChanges(root.Get("nics"), scenario, graph);
    if (const auto losses = root.Get("fabric").Find("losses"))
    {
        CheckLinkLosses(scenario.fabric.losses, graph, *losses);
    }
    if (const auto rates = root.Get("fabric").Find("linkRates"))
    {
        CheckLinkRates(scenario.fabric.linkRates, graph, *rates);
    }
    if (const auto links = root.Get("fabric").Find("links"))
    {
        CheckLinkPolicies(scenario.fabric.links, graph, *links);
    }
    if (const auto series = root.Find("series"))
    {
        CheckSeries(scenario, graph, *series);
    }
    CheckPfc(scenario);
    CheckCredits(scenario);
    CompleteBuffer(scenario, graph);
    if (const auto events = root.Find("linkEvents"))
    {
        CheckLinkEvents(scenario.linkEvents, graph, *events);
    }
    if (const auto storms = root.Find("pauseStorms"))
    {
        CheckPauseStorms(scenario.pauseStorms, graph, *storms);
    }
    CheckFlows(prepared->input, root);
    CheckPeers(prepared->input);
    return prepared;
}

} // namespace ns3::rdma
