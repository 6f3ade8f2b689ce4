// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_CHAIN_GRAPH_H
#define RDMA_CHAIN_GRAPH_H

#include "ns3/operation-graph.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-collective
 * @brief A broadcast or a reduce along a ring that is cut at the root: each rank passes every slice
 * of the buffer on to the next one.
 *
 * The bound is exact with one slice, if no two connections share a link.
 */
class ChainGraph : public OperationGraph
{
  public:
    /// @param slices of the buffer
    /// @param isReduce towards the root; else away from it
    ChainGraph(uint32_t ranks, uint64_t bytes, uint32_t slices, uint32_t root, bool isReduce);

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
    /// @param hop from 0
    uint32_t GetSender(uint32_t hop) const;

    uint32_t m_ranks;
    uint64_t m_bytes;
    uint32_t m_slices;
    uint32_t m_first; ///< Sender of the first hop.
};

} // namespace ns3::rdma

#endif // RDMA_CHAIN_GRAPH_H
