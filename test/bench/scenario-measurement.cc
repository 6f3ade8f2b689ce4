// SPDX-License-Identifier: GPL-2.0-only
#include "scenario-measurement.h"

#include "../test-files.h"
#include "cpu-clock.h"

#include "ns3/flow-log.h"
#include "ns3/scenario-reader.h"
#include "ns3/simulation-run.h"

#include <fstream>

namespace ns3::rdma
{

namespace
{

std::string
GetTraceFolderFile(const std::string& name)
{
    return GetSharedFile("reference/hpcc-format/" + name);
}

} // namespace

std::string
GetTraceFile()
{
    return GetTraceFolderFile("flowCacheFollowerLoad07Time0002_fat64.txt");
}

bool
HasTrace()
{
    return std::filesystem::exists(GetTraceFile());
}

namespace
{

/// Needless work in the congestion control of the design.
void
AddExtraWork(const ScenarioCase& scenarioCase, ScenarioChanges& changes)
{
    const ExtraWork& work = scenarioCase.extraWork;
    if (work.IsNone())
    {
        return;
    }
    const std::string type = std::string("ns3::rdma::") +
                             (std::string(scenarioCase.nic) == "srnic" ? "BusyDctcp" : "BusyDcqcn");
    const auto format = [&type](const char* attribute, uint32_t value) {
        return '"' + type + "::" + attribute + R"(": ")" + std::to_string(value) + '"';
    };
    changes.sets.push_back("nics[0].congestionControl=" + type);
    changes.sets.push_back("nics[0].attributes={" + format("Rounds", work.rounds) + ", " +
                           format("Lines", work.lines) + ", " +
                           format("FlowRounds", work.flowRounds) + "}");
}

} // namespace

ScenarioChanges
GetChanges(const ScenarioCase& scenarioCase)
{
    const std::string hardware = scenarioCase.isHardwareTimed ? "on" : "off";
    ScenarioChanges changes;
    changes.sets = {std::string(R"(nics=[{"preset": ")") + scenarioCase.nic +
                    R"(", "hardware": ")" + hardware + R"("}])"};
    if (scenarioCase.duration)
    {
        changes.sets.push_back("fabric.servers=" + std::to_string(scenarioCase.servers));
        changes.sets.push_back(std::string("workload.duration=") + scenarioCase.duration);
        changes.sets.push_back("workload.load=" + std::to_string(scenarioCase.load));
    }
    else
    {
        changes.sets.push_back("fabric.file=" + GetTraceFolderFile("fat_2_64.txt"));
        changes.sets.push_back("workload.file=" + GetTraceFile());
    }
    if (scenarioCase.hasPfc)
    {
        changes.sets.push_back("fabric.pfc=true");
    }
    if (scenarioCase.hasOnePacketFlows)
    {
        changes.sets.push_back("workload.sizes=" +
                               (GetCheckout() / "test/bench/one-packet.cdf").string());
        changes.sets.push_back("run.drain=true");
    }
    AddExtraWork(scenarioCase, changes);
    return changes;
}

ScenarioMeasurement
MeasureScenario(const std::string& file, const ScenarioCase& scenarioCase)
{
    const double begin = GetCpuSeconds();
    const Scenario scenario = ReadScenario(file, GetChanges(scenarioCase));
    SimulationRun simulation(scenario, scenario.nics.front());
    std::ofstream rows("/dev/null"); // Rows are made, as in any run, but not stored.
    FlowLog log(rows);

    const double built = GetCpuSeconds();
    const RunReport report = simulation.Run(log, [](const RunProgress&) { return true; });
    const double end = GetCpuSeconds();

    ScenarioMeasurement measurement;
    measurement.packetHops = report.packetHops;
    measurement.events = report.events;
    measurement.flows = report.flowsStarted;
    measurement.simulatedPs = report.simulatedPs;
    measurement.violations = report.violations.size();
    measurement.setupSeconds = built - begin;
    measurement.runSeconds = end - built;
    return measurement;
}

} // namespace ns3::rdma
