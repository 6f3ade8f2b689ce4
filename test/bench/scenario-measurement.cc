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
    const ExtraWork& extraWork = scenarioCase.extraWork;
    if (extraWork.rounds + extraWork.lines > 0)
    {
        changes.sets.push_back("nics[0].congestionControl=ns3::rdma::BusyDctcp");
        changes.sets.push_back(R"(nics[0].attributes={"ns3::rdma::BusyDctcp::Rounds": ")" +
                               std::to_string(extraWork.rounds) +
                               R"(", "ns3::rdma::BusyDctcp::Lines": ")" +
                               std::to_string(extraWork.lines) + R"("})");
    }
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
