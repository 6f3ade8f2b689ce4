// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PERMUTATION_WORKLOAD_H
#define RDMA_PERMUTATION_WORKLOAD_H

#include "ns3/flow-source.h"
#include "ns3/nstime.h"
#include "ns3/random-stream.h"
#include "ns3/topology-graph.h"

#include <vector>

namespace ns3::rdma
{

/// Parameters of a permutation.
struct PermutationParameters
{
    std::vector<uint32_t> servers; ///< Node ids, at least two.
    uint64_t bytes{0};             ///< Of each flow, at least 1.
    Time at;                       ///< Start of the first round, 0 or later.
    Time period;                   ///< From one round to the next, above 0 if there are several.
    uint32_t repeats{1};           ///< Number of rounds, at least 1.
    uint64_t seed{0};
};

/**
 * @ingroup rdma-workload
 * @brief Each server sends to another one and receives from one, round after round.
 *
 * A round is a random derangement: a permutation without fixed point, each equally likely.
 * Permutations are drawn (Fisher-Yates) until one has no fixed point, which takes e draws on
 * average.
 */
class PermutationWorkload : public FlowSource
{
  public:
    /// @throws InputError if there are fewer than two servers or a number is out of range
    PermutationWorkload(const TopologyGraph& graph, PermutationParameters parameters);

    std::optional<FlowArrival> Next() override;
    bool Rewind() override;
    std::optional<uint64_t> GetFlowCount() const override;

  private:
    void DrawRound();

    PermutationParameters m_parameters;
    RandomStream m_random;
    std::vector<uint32_t> m_receivers; ///< Of this round, by place of the sender.
    uint32_t m_round{0};
    std::size_t m_nextSender{0};
};

} // namespace ns3::rdma

#endif // RDMA_PERMUTATION_WORKLOAD_H
