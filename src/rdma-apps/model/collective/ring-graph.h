// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RING_GRAPH_H
#define RDMA_RING_GRAPH_H

#include "ns3/operation-graph.h"

namespace ns3::rdma
{

/// Sizes of a RingGraph.
struct RingSize
{
    uint32_t ranks;       ///< n, at least 2.
    uint64_t bytes;       ///< The full buffer.
    uint32_t channels{1}; ///< Rings side by side, each with its part of the buffer.
    uint32_t slices{1};   ///< Messages of a step and channel.
};

/**
 * @ingroup rdma-collective
 * @brief A ring: in each step rank i sends one of n parts of the buffer to rank i + 1.
 *
 * Reduce-scatter and all-gather have n - 1 steps, all-reduce has both in a row (Patarasuk and
 * Yuan, Bandwidth optimal all-reduce algorithms for clusters of workstations, JPDC 2009).  A slice
 * of a step waits for the same slice of the step before.  The reduction takes no time.
 *
 * The bound takes equal parts, rounded down; it is exact for equal parts with one channel and one
 * slice, if no two connections share a link.
 */
class RingGraph : public OperationGraph
{
  public:
    /// @param steps n - 1, 2 (n - 1), or 1 if each rank sends one part to the next
    /// @param parts of the buffer: n, or 1 if each message is the whole of it
    RingGraph(const RingSize& size, uint32_t steps, uint32_t parts);

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
    /// A message's coordinates. Numbers count slices first, then channels, ranks, steps.
    struct Place
    {
        uint32_t step;
        uint32_t rank;
        uint32_t channel;
        uint32_t slice;
    };

    Place FindPlace(uint64_t id) const;
    uint64_t GetNumber(const Place& place) const;
    uint64_t GetBytes(const Place& place) const;
    uint32_t GetNext(uint32_t rank) const;

    RingSize m_size;
    uint32_t m_steps;
    uint32_t m_parts;
};

} // namespace ns3::rdma

#endif // RDMA_RING_GRAPH_H
