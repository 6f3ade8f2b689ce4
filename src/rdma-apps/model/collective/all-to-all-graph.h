// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_ALL_TO_ALL_GRAPH_H
#define RDMA_ALL_TO_ALL_GRAPH_H

#include "ns3/operation-graph.h"

namespace ns3::rdma
{

/// The order in which each rank sends to the others.
enum class AllToAllOrder : uint8_t
{
    SHIFTED,  ///< Round r: to rank + r.
    PAIRWISE, ///< Round r: rank and rank xor r exchange; n is a power of two.
    /// To rank + 1, 3, 6, 10, ... modulo the power of two at or above n, without sums of n and more
    /// (point-to-point schedule of NCCL 2.30).
    NCCL,
};

/// Parameters of an AllToAllGraph.
struct AllToAllRules
{
    AllToAllOrder order{AllToAllOrder::SHIFTED};
    uint32_t window{UINT32_MAX}; ///< Rounds of a rank before it waits; at least 1.
    /// A message waits for the sender's completion of the one `window` rounds before it; else for
    /// the arrival of the message of that round from another rank.
    bool waitsForCompletion{false};
};

/**
 * @ingroup rdma-collective
 * @brief Each rank sends a message of its own to each other rank, over n (n - 1) connections.
 *
 * The bound is the larger one of two: the busiest sender or receiver at its link's rate with the
 * latency of its last message; the longest chain of rounds that wait for each other.  It is exact
 * for a window of 1 that waits for arrivals, if no two connections share a link.
 */
class AllToAllGraph : public OperationGraph
{
  public:
    /// Sizes: message from a rank to another. Row by row, the diagonal is ignored.
    using Sizes = std::vector<uint64_t>;

    /// @param bytes of a rank's buffer, which has a part for each rank
    AllToAllGraph(uint32_t ranks, uint64_t bytes, const AllToAllRules& rules);

    /// @param sizes ranks x ranks
    AllToAllGraph(uint32_t ranks, Sizes sizes, const AllToAllRules& rules);

    /// @return sizes of which the part for rank j is proportional to 1 / (j + 1)^exponent, as for
    /// experts of unequal popularity. @param bytes of each row, the own part included
    static Sizes MakeSkewed(uint32_t ranks, uint64_t bytes, double exponent);

    uint32_t GetRanks() const override;
    uint64_t GetCount() const override;
    RankMessage Get(uint64_t id) const override;
    void ForEachFirst(uint32_t rank, const Visitor& visit) const override;
    void ForEachDependent(uint64_t id, const Visitor& visit) const override;
    bool HasSenderDependencies() const override;
    std::vector<RankConnection> MakeConnections() const override;
    uint64_t GetPlace(uint64_t id) const override;
    uint64_t Find(uint32_t connection, uint64_t place) const override;
    Tick FindBound(const PathTimes& times) const override;

  private:
    uint32_t GetReceiver(uint32_t rank, uint32_t round) const;
    uint32_t GetSender(uint32_t rank, uint32_t round) const;
    uint64_t GetBytes(uint32_t src, uint32_t dst) const;
    Tick FindLinkBound(const PathTimes& times) const;
    Tick FindChainBound(const PathTimes& times) const;

    uint32_t m_ranks;
    uint64_t m_bytes{0}; ///< Without sizes.
    Sizes m_sizes;       ///< Empty: all alike.
    AllToAllRules m_rules;
    std::vector<uint32_t> m_distances; ///< By round, from 0.
};

} // namespace ns3::rdma

#endif // RDMA_ALL_TO_ALL_GRAPH_H
