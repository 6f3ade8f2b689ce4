// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_MERGED_FLOW_SOURCE_H
#define RDMA_MERGED_FLOW_SOURCE_H

#include "ns3/flow-source.h"

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

/**
 * @ingroup rdma-workload
 * @brief The flows of all workloads of a run, by start; of equal starts those of the earlier
 * workload first.
 *
 * Graphs of operations are no part of Next().
 */
class MergedFlowSource : public FlowSource
{
  public:
    /// @param sources by workload, at least one
    explicit MergedFlowSource(std::vector<std::unique_ptr<FlowSource>> sources);

    std::optional<FlowArrival> Next() override;

    /// @return false if any source cannot: then none may be used further.
    bool Rewind() override;

    /// @return flows and operations of all workloads; unset if any source does not know it.
    std::optional<uint64_t> GetFlowCount() const override;

    /// @return the graphs, by workload.
    std::vector<WorkloadGraph> GetGraphs() const;

  private:
    void Fill();

    std::vector<std::unique_ptr<FlowSource>> m_sources;
    std::vector<std::optional<FlowArrival>> m_next; ///< By source; empty: not filled yet.
};

} // namespace ns3::rdma

#endif // RDMA_MERGED_FLOW_SOURCE_H
