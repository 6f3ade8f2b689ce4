// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/scenario-keys.h"

#include "ns3/attribute-check.h"
#include "ns3/attribute-use.h"
#include "ns3/fabric-keys.h"
#include "ns3/kernel-keys.h"
#include "ns3/link-event-keys.h"
#include "ns3/pause-storm-keys.h"
#include "ns3/plugin-loader.h"
#include "ns3/run-design.h"
#include "ns3/run-keys.h"
#include "ns3/scenario-file.h"
#include "ns3/series-keys.h"
#include "ns3/server-group.h"
#include "ns3/workload-keys.h"

#include <nlohmann/json.hpp>

namespace ns3::rdma
{

namespace
{

/// Loads the plug-ins, whose classes the keys after this one may name. @return their paths
std::vector<std::string>
ReadPlugins(const JsonValue& list, const Scenario& scenario)
{
    std::vector<std::string> plugins;
    list.ForEachElement([&](const JsonValue& entry) {
        plugins.push_back(entry.GetString());
        const std::string path = FindFile(scenario, plugins.back(), entry.GetPath());
        LoadPlugin(path, entry.GetFile() + ": " + entry.GetPath());
    });
    return plugins;
}

void
VisitPlugins(Keys& keys, Scenario& scenario)
{
    const auto read = [&scenario](const JsonValue& value, const KeySpec&) {
        scenario.ownPlugins = ReadPlugins(value, scenario);
    };
    const auto write = [&scenario](const KeySpec&) {
        return nlohmann::ordered_json(scenario.ownPlugins);
    };
    keys.Other("plugins", {read, write}, "paths of shared libraries to load")
        .Shape(R"({"type": "array", "items": {"type": "string"}})")
        .OmitIf(scenario.ownPlugins.empty())
        .Otherwise("none");
}

/// Attributes that NICs share are written with each NIC, those of switches with the fabric.
void
VisitSharedAttributes(Keys& keys, Scenario& scenario)
{
    VisitAttributes(keys, scenario.attributes, ReadAttributes, "of all NICs, by full name")
        .OmitIf(true)
        .Then([&scenario](const JsonValue&) {
            scenario.fabric.attributes.merge(
                TakeFabricAttributes(scenario.attributes, GetSwitchPolicies(scenario.fabric)));
        });
}

} // namespace

ScenarioKeys::ScenarioKeys() = default;

void
VisitScenario(Keys& keys, ScenarioKeys& file)
{
    Scenario& scenario = file.scenario;
    keys.Text("$schema", file.schema, "scenario.schema.json, by which editors complete and check")
        .OmitIf(true);
    keys.Text("name", scenario.name, ReadFolderName, "folder of the results").Required();
    VisitPlugins(keys, scenario);
    keys.Other("fabric",
               {[&scenario](const JsonValue& value, const KeySpec&) {
                    scenario.fabric = ReadFabric(value);
                },
                [&scenario](const KeySpec&) { return WriteFabric(scenario.fabric); }},
               "the network: its topology, and keys of all topologies")
        .Shape(R"({"type": "object"})")
        .Required();
    VisitServerGroups(keys, scenario.groups);
    keys.List("linkEvents", scenario.linkEvents, VisitLinkEvent, "links that go down or come up")
        .OmitIf(scenario.linkEvents.empty());
    keys.List("pauseStorms",
              scenario.pauseStorms,
              VisitPauseStorm,
              "servers whose NIC pauses its switch")
        .OmitIf(scenario.pauseStorms.empty());
    VisitSharedAttributes(keys, scenario);
    VisitNics(keys, file.nics, file.resolveNics);
    VisitKernels(keys, scenario.kernels);
    VisitWorkloads(keys, file.form, scenario);
    keys.Object("run", scenario.run, true, VisitRun, "how the simulation is run");
    keys.Object(
        "series",
        scenario.series,
        [&scenario](Keys& part, SeriesSpec& series) {
            VisitSeries(part, series, scenario.groups, GetWorkloadNames(scenario));
        },
        "time series to write");
}

} // namespace ns3::rdma
