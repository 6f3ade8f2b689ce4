// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_WHY_FIXTURE_H
#define RDMA_WHY_FIXTURE_H

#include "scenario-fixture.h"

#include "ns3/flow-log.h"
#include "ns3/flow-recorder.h"
#include "ns3/flow-rerun.h"
#include "ns3/simulation-run.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// A run whose flows are explained.
struct ExplainedRun
{
    std::string flows;                           ///< The text of flows.csv.
    std::map<uint64_t, ExplainedFlow> explained; ///< By flow.
    std::vector<std::string> ports;              ///< Their names.
};

/// Runs one NIC of a scenario and explains all flows. @param prepare called before the run
inline ExplainedRun
ExplainFlows(const Scenario& scenario,
             const NicSpec& nic,
             std::optional<uint64_t> only = std::nullopt,
             const std::function<void(Fabric&)>& prepare = nullptr)
{
    ExplainedRun result;
    std::ostringstream flows;
    FlowLog log(flows);
    std::unique_ptr<FlowRecorder> recorder; // Outlives the run.
    SimulationRun run(scenario, nic);
    recorder = std::make_unique<FlowRecorder>(run.GetFabric(), only);
    run.SetFlowObserver(*recorder);
    log.SetListener([&](const FlowRecord& record) {
        if (auto account = recorder->Take(record))
        {
            result.explained.emplace(record.flow, ExplainedFlow{record, *account});
        }
    });
    if (prepare)
    {
        prepare(run.GetFabric());
    }
    run.Run(log, [](const RunProgress&) { return true; });
    result.flows = flows.str();
    for (const PortLog& port : recorder->GetPorts())
    {
        result.ports.push_back(port.GetName());
    }
    return result;
}

} // namespace ns3::rdma

#endif // RDMA_WHY_FIXTURE_H
