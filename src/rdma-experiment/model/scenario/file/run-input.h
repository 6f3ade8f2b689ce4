// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RUN_INPUT_H
#define RDMA_RUN_INPUT_H

#include "ns3/merged-flow-source.h"
#include "ns3/scenario.h"
#include "ns3/topology-graph.h"

#include <memory>
#include <optional>

namespace ns3::rdma
{

/**
 * @ingroup rdma-scenario
 * @brief Topology and flows of a scenario, each made once for its checks and for all of its runs.
 *
 * The flows are one FlowSource: whoever starts them again ends the reading of the one before.
 */
class RunInput
{
  public:
    /// @param scenario outlives this, and keeps what topology and flows depend on
    explicit RunInput(const Scenario& scenario);
    RunInput(const RunInput&) = delete;
    RunInput& operator=(const RunInput&) = delete;

    const Scenario& GetScenario() const
    {
        return m_scenario;
    }

    /// @return the graph; the first call makes it. @throws InputError as MakeTopology()
    const TopologyGraph& GetTopology();

    /// Uses a copy of the graph in place of its own, which saves memory. Before flows are started.
    /// @param copy outlives this
    void ShareTopology(const TopologyGraph& copy);

    /// @return the flows, from the first one on; the first call makes their source.
    /// @throws InputError as MakeFlowSource()
    MergedFlowSource& StartFlows();

    /// The same, with the beginning as a fluid if the scenario has that. @return null: no workload
    /// has flows
    FlowSource* StartRunFlows();

    /// @return the graphs of operations, which are no part of the flows. After StartFlows().
    std::vector<WorkloadGraph> GetGraphs() const
    {
        return m_flows->GetGraphs();
    }

  private:
    const Scenario& m_scenario;
    const TopologyGraph* m_topology{nullptr}; ///< Null: not made yet.
    std::optional<TopologyGraph> m_made;      ///< Unset: another one is shared.
    std::unique_ptr<MergedFlowSource> m_flows;
    std::unique_ptr<FlowSource> m_fluid; ///< Of m_flows.
};

/// A scenario with the input that its checks have made, so that its runs need not make it again.
struct PreparedScenario
{
    Scenario scenario;
    RunInput input{scenario};
};

} // namespace ns3::rdma

#endif // RDMA_RUN_INPUT_H
