// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_INCAST_WORKLOAD_H
#define RDMA_INCAST_WORKLOAD_H

#include "ns3/flow-source.h"
#include "ns3/nstime.h"
#include "ns3/topology-graph.h"

#include <vector>

namespace ns3::rdma
{

/// Parameters of an incast.
struct IncastParameters
{
    std::vector<uint32_t> senders; ///< Node ids; they start in this order.
    uint32_t receiver{0};          ///< Node id, none of the senders.
    uint64_t bytes{0};             ///< Of each flow, at least 1.
    Time at;                       ///< Start of the first round, 0 or later.
    Time period;                   ///< From one round to the next, above 0 if there are several.
    uint32_t repeats{1};           ///< Number of rounds, at least 1.
};

/**
 * @ingroup rdma-workload
 * @brief Several servers send to one at the same instant, round after round.
 */
class IncastWorkload : public FlowSource
{
  public:
    /// @throws InputError if a node is no server of this graph or a number is out of range.
    IncastWorkload(const TopologyGraph& graph, IncastParameters parameters);

    /**
     * @return the servers with the lowest node ids, without the receiver
     * @throws InputError if count is zero or exceeds the number of such servers
     */
    static std::vector<uint32_t> ChooseSenders(const TopologyGraph& graph,
                                               uint32_t receiver,
                                               uint32_t count);

    std::optional<FlowArrival> Next() override;
    bool Rewind() override;
    std::optional<uint64_t> GetFlowCount() const override;

  private:
    IncastParameters m_parameters;
    uint32_t m_round{0};
    size_t m_nextSender{0};
};

} // namespace ns3::rdma

#endif // RDMA_INCAST_WORKLOAD_H
