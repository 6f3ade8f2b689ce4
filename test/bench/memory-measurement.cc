// SPDX-License-Identifier: GPL-2.0-only
#include "memory-measurement.h"

#include "flow-heap.h"
#include "heap-measurement.h"

#include "ns3/scenario-reader.h"

namespace ns3::rdma
{

MemoryMeasurement
MeasureMemory(const std::string& file, const ScenarioCase& scenarioCase)
{
    constexpr uint32_t FLOWS_PER_SERVER{16};
    ScenarioCase sized = scenarioCase;
    sized.servers = FlowHeap::SERVERS;
    const Scenario scenario = ReadScenario(file, GetChanges(sized));
    MemoryMeasurement measurement;
    measurement.perFlow = FlowHeap(scenario, FLOWS_PER_SERVER).Measure();
    measurement.perServer = ServerHeap(scenario).Measure().withDevice;
    return measurement;
}

} // namespace ns3::rdma
