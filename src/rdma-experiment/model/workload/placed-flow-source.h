// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PLACED_FLOW_SOURCE_H
#define RDMA_PLACED_FLOW_SOURCE_H

#include "ns3/flow-source.h"

#include <memory>
#include <optional>

namespace ns3::rdma
{

/**
 * @ingroup rdma-workload
 * @brief The flows of one of several workloads: later by its start, without those that would begin
 * at its end or after, and with its index.
 *
 * The start and end of a graph are left to its starter.
 */
class PlacedFlowSource : public FlowSource
{
  public:
    /// @param source times count from startPs
    /// @param endPs from the start of the run; unset: no end
    PlacedFlowSource(std::unique_ptr<FlowSource> source,
                     uint32_t workload,
                     int64_t startPs,
                     std::optional<int64_t> endPs);

    std::optional<FlowArrival> Next() override;
    bool Rewind() override;
    /// @return unset if there is an end.
    std::optional<uint64_t> GetFlowCount() const override;
    const FlowGraph* GetGraph() const override;

  private:
    std::unique_ptr<FlowSource> m_source;
    uint32_t m_workload;
    int64_t m_startPs;
    std::optional<int64_t> m_endPs;
};

} // namespace ns3::rdma

#endif // RDMA_PLACED_FLOW_SOURCE_H
