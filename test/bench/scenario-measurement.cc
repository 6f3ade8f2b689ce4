// SPDX-License-Identifier: GPL-2.0-only
#include "scenario-measurement.h"

#include "cpu-clock.h"

#include "ns3/flow-log.h"
#include "ns3/scenario-reader.h"
#include "ns3/simulation-run.h"

#include <fstream>

namespace ns3::rdma
{

ScenarioMeasurement
MeasureScenario(const std::string& file, const ScenarioCase& scenarioCase)
{
    const double begin = GetCpuSeconds();
    ScenarioChanges changes;
    changes.sets = {std::string(R"(nics=[{"preset": ")") + scenarioCase.nic +
                        R"(", "hardware": ")" + (scenarioCase.isHardwareTimed ? "on" : "off") +
                        R"("}])",
                    "fabric.servers=" + std::to_string(scenarioCase.servers),
                    std::string("workload.duration=") + scenarioCase.duration};
    const Scenario scenario = ReadScenario(file, changes);
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
