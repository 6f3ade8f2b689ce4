// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_MERGED_FLOW_SOURCE_H
#define RDMA_MERGED_FLOW_SOURCE_H

#include "ns3/flow-graph.h"

#include <memory>
#include <vector>

namespace ns3::rdma
{

/// A graph of operations, and the index of its workload.
struct WorkloadGraph
{
    uint32_t workload;
    const FlowGraph* graph;
};

/// The flows of a workload of a run.
struct WorkloadFlows
{
    std::unique_ptr<FlowSource> source; ///< Null: the workload has none.
    int64_t startPs{0};                 ///< Times of the source count from it.
    /// From the start of the run: flows that would begin then or later are left out. Unset: no end.
    std::optional<int64_t> endPs;
};

/**
 * @ingroup rdma-workload
 * @brief The flows of all workloads of a run, by start, with the index of their workload; of equal
 * starts those of the earlier workload first.
 *
 * Graphs of operations are no part of Next(): their start and end are left to their starters.
 */
class MergedFlowSource : public FlowSource
{
  public:
    /// @param workloads at least one
    explicit MergedFlowSource(std::vector<WorkloadFlows> workloads);

    /// @return whether any workload has flows or operations.
    bool HasAny() const;

    std::optional<FlowArrival> Next() override;

    /// @return false if any source cannot: then none may be used further.
    bool Rewind() override;

    /// @return flows and operations of all workloads; unset if any source does not know it, or has
    /// an end.
    std::optional<uint64_t> GetFlowCount() const override;

    /// @return the graphs, by workload.
    std::vector<WorkloadGraph> GetGraphs() const;

    /// Calls visit(operation) for the operations of all graphs.
    template <typename Visit>
    void VisitOperations(const Visit& visit) const
    {
        for (const auto& [workload, graph] : GetGraphs())
        {
            for (uint32_t i = 0; i < graph->GetCount(); ++i)
            {
                visit(graph->Get(i));
            }
        }
    }

  private:
    std::optional<FlowArrival> TakeNext(std::size_t workload);

    std::vector<WorkloadFlows> m_workloads;
    std::vector<std::optional<FlowArrival>> m_next; ///< By workload; empty: not filled yet.
};

} // namespace ns3::rdma

#endif // RDMA_MERGED_FLOW_SOURCE_H
