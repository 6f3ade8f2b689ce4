// SPDX-License-Identifier: GPL-2.0-only
#include "memory-measurement.h"

#include "heap-measurement.h"

#include "ns3/scenario-reader.h"

#include <fstream>

namespace ns3::rdma
{

namespace
{

constexpr uint32_t FLOW_SERVERS{64};
constexpr uint32_t FLOWS_PER_SERVER{16};
constexpr int64_t RUN_US{100}; ///< By then each flow has sent and has been acknowledged.

Scenario
ReadScenarioOf(const std::string& file, const ScenarioCase& scenarioCase, uint32_t servers)
{
    ScenarioCase sized = scenarioCase;
    sized.servers = servers;
    return ReadScenario(file, GetChanges(sized));
}

/// From each server so many flows, to the servers behind it in turn, too long to end.
std::vector<FlowSpec>
MakeFlows(uint32_t perServer)
{
    constexpr uint64_t ENDLESS{1ULL << 33};
    std::vector<FlowSpec> flows;
    for (uint32_t turn = 0; turn < perServer; ++turn)
    {
        for (uint32_t src = 0; src < FLOW_SERVERS; ++src)
        {
            flows.push_back({src, (src + 1 + turn) % FLOW_SERVERS, ENDLESS, NanoSeconds(1 + turn)});
        }
    }
    return flows;
}

/// @return what the heap has grown by since before the first flow, when flows have run a while.
double
MeasureFlows(Scenario scenario, uint32_t perServer)
{
    scenario.workload = {};
    scenario.workload.type = "flows";
    scenario.workload.flows = MakeFlows(perServer);
    SimulationRun run(scenario, scenario.nics.front());
    std::ofstream rows("/dev/null");
    FlowLog log(rows);
    uint64_t before = 0;
    uint64_t after = 0;
    Simulator::Schedule(Time(0), [&before] { before = CountHeapBytes(); });
    Simulator::Schedule(MicroSeconds(RUN_US), [&after] {
        after = CountHeapBytes();
        Simulator::Stop();
    });
    run.Run(log, [](const RunProgress&) { return true; });
    return static_cast<double>(after - before);
}

/// The same in a process of its own: flows that have ended leave memory for the next ones.
double
MeasureFlowsInChild(const Scenario& scenario, uint32_t perServer)
{
    return RunInChild<double>([&] { return MeasureFlows(scenario, perServer); }).value;
}

} // namespace

MemoryMeasurement
MeasureMemory(const std::string& file, const ScenarioCase& scenarioCase)
{
    MemoryMeasurement measurement;
    const Scenario flowScenario = ReadScenarioOf(file, scenarioCase, FLOW_SERVERS);
    const double once = MeasureFlowsInChild(flowScenario, FLOWS_PER_SERVER);
    const double twice = MeasureFlowsInChild(flowScenario, 2 * FLOWS_PER_SERVER);
    measurement.perFlow = (twice - once) / (FLOW_SERVERS * FLOWS_PER_SERVER);
    measurement.perServer = ServerHeap(flowScenario).Measure();
    return measurement;
}

} // namespace ns3::rdma
