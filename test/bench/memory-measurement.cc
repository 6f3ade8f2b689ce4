// SPDX-License-Identifier: GPL-2.0-only
#include "memory-measurement.h"

#include "ns3/fabric-device.h"
#include "ns3/fabric-simulator-impl.h"
#include "ns3/node.h"
#include "ns3/scenario-builder.h"
#include "ns3/scenario-reader.h"
#include "ns3/simulation-run.h"
#include "ns3/simulator.h"

#include <fstream>
#include <malloc.h>

namespace ns3::rdma
{

namespace
{

constexpr uint32_t FLOW_SERVERS{64};
constexpr uint32_t IDLE_SERVERS{256};
constexpr uint32_t FLOWS_PER_SERVER{16};
constexpr int64_t RUN_US{100}; ///< By then each flow has sent and has been acknowledged.

/// @return bytes handed out by malloc(), those mapped one by one included.
double
GetHeapBytes()
{
    const struct mallinfo2 info = mallinfo2();
    return static_cast<double>(info.uordblks + info.hblkhd);
}

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
    double before = 0;
    double after = 0;
    Simulator::Schedule(Time(0), [&before] { before = GetHeapBytes(); });
    Simulator::Schedule(MicroSeconds(RUN_US), [&after] {
        after = GetHeapBytes();
        Simulator::Stop();
    });
    run.Run(log, [](const RunProgress&) { return true; });
    return after - before;
}

/// @return heap bytes per server that its NIC needs.
double
MeasureNic(const Scenario& scenario)
{
    double withNics = 0;
    for (int turn = 0; turn < 2; ++turn) // The first fills what ns-3 keeps for all runs.
    {
        const double before = GetHeapBytes();
        const SimulationRun run(scenario, scenario.nics.front());
        withNics = GetHeapBytes() - before;
    }
    UseFabricSimulator();
    const TopologyGraph graph = MakeTopology(scenario);
    const double before = GetHeapBytes();
    const auto fabric = CreateObject<Fabric>();
    fabric->Build(graph, MakeFabricConfig(scenario, scenario.fabric.mtuBytes));
    const double without = GetHeapBytes() - before;
    fabric->Dispose();
    Simulator::Destroy();
    return (withNics - without) / IDLE_SERVERS;
}

/// @return heap bytes of a node with its device but without the port in it.
double
MeasureNode()
{
    const auto core = std::make_shared<FabricCore>();
    core->engine = std::make_shared<FabricEngine>(true);
    const double before = GetHeapBytes();
    for (uint32_t node = 0; node < IDLE_SERVERS; ++node)
    {
        CreateObject<Node>()->AddDevice(CreateObject<FabricDevice>(core, node, 0));
    }
    const double bytes = GetHeapBytes() - before;
    Simulator::Destroy(); // Drops the nodes, which ns-3's list holds.
    return bytes / IDLE_SERVERS - sizeof(FabricPort);
}

} // namespace

MemoryMeasurement
MeasureMemory(const std::string& file, const ScenarioCase& scenarioCase)
{
    MemoryMeasurement measurement;
    const Scenario flowScenario = ReadScenarioOf(file, scenarioCase, FLOW_SERVERS);
    const double once = MeasureFlows(flowScenario, FLOWS_PER_SERVER);
    const double twice = MeasureFlows(flowScenario, 2 * FLOWS_PER_SERVER);
    measurement.perFlow = (twice - once) / (FLOW_SERVERS * FLOWS_PER_SERVER);
    measurement.perServer =
        MeasureNic(ReadScenarioOf(file, scenarioCase, IDLE_SERVERS)) + MeasureNode();
    return measurement;
}

} // namespace ns3::rdma
