// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_BARRIER_GRAPH_H
#define RDMA_BARRIER_GRAPH_H

#include "ns3/operation-graph.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-collective
 * @brief A dissemination barrier (Hensgen, Finkel, Manber, Two Algorithms for Barrier
 * Synchronization, IJPP 1988): no rank leaves it before all ranks have entered it.
 *
 * In each of ceil(log2 n) rounds k, rank i notifies rank i + 2^k modulo n by a message of 0 bytes,
 * when the notifications of all earlier rounds have arrived.  The bound is exact on an idle
 * network.
 */
class BarrierGraph : public OperationGraph
{
  public:
    /// @param ranks at least 2
    explicit BarrierGraph(uint32_t ranks);

    uint32_t GetRanks() const override;
    uint64_t GetCount() const override;
    RankMessage Get(uint64_t id) const override;
    void ForEachFirst(uint32_t rank, const Visitor& visit) const override;
    void ForEachDependent(uint64_t id, const Visitor& visit) const override;
    std::vector<RankConnection> MakeConnections() const override;
    uint64_t GetPlace(uint64_t id) const override;
    uint64_t Find(uint32_t connection, uint64_t place) const override;
    Tick FindBound(const PathTimes& times) const override;

  private:
    uint32_t GetReceiver(uint32_t round, uint32_t rank) const;

    uint32_t m_ranks;
    uint32_t m_rounds;
};

} // namespace ns3::rdma

#endif // RDMA_BARRIER_GRAPH_H
