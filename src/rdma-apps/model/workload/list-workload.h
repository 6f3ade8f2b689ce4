// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_LIST_WORKLOAD_H
#define RDMA_LIST_WORKLOAD_H

#include "ns3/flow-source.h"
#include "ns3/topology-graph.h"

#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-workload
 * @brief Flows from a list; flows with equal starts keep the order of the list.
 */
class ListWorkload : public FlowSource
{
  public:
    /**
     * @param flows in any order
     * @throws InputError naming the flow by its place in the list, from 0 ("flows[3]: expected
     * ...")
     */
    ListWorkload(const TopologyGraph& graph, std::vector<FlowArrival> flows);

    std::optional<FlowArrival> Next() override;
    bool Rewind() override;
    std::optional<uint64_t> GetFlowCount() const override;

  private:
    std::vector<FlowArrival> m_flows; ///< By start.
    size_t m_next{0};
};

} // namespace ns3::rdma

#endif // RDMA_LIST_WORKLOAD_H
