// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_EXCHANGE_GRAPH_H
#define RDMA_EXCHANGE_GRAPH_H

#include "ns3/operation-graph.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-collective
 * @brief Steps in which pairs of ranks, whose numbers differ in one bit, exchange data (Thakur,
 * Rabenseifner, Gropp, Optimization of Collective Communication Operations in MPICH, IJHPCA 2005).
 *
 * Reduce-scatter by recursive halving has distances n/2, n/4, ..., 1 and S/2, S/4, ..., S/n bytes;
 * all-gather by recursive doubling is its reverse; all-reduce is both, or log2 n exchanges of the
 * whole buffer.  A step waits for the arrival of the step before.  n is a power of two.
 *
 * The bound is exact if no two connections share a link.
 */
class ExchangeGraph : public OperationGraph
{
  public:
    /// One exchange of all ranks.
    struct Step
    {
        uint32_t distance; ///< A power of two.
        uint32_t parts;    ///< How many of the buffer's parts are sent.
        bool
            sendsPeersEnd; ///< Whether the parts are those of the peer's half; else the rank's own.
    };

    /// @param cuts parts of the buffer: n, or 1 if all of it is sent in each step
    ExchangeGraph(uint32_t ranks, uint64_t bytes, uint32_t cuts, std::vector<Step> steps);

    /// @return the steps of recursive halving. @param ranks a power of two
    static std::vector<Step> MakeHalving(uint32_t ranks);

    /// @return the steps of recursive doubling, after which each rank has all parts.
    static std::vector<Step> MakeDoubling(uint32_t ranks);

    /// @return the steps in which each rank sends the whole buffer.
    static std::vector<Step> MakeWhole(uint32_t ranks);

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
    uint64_t GetBytes(const Step& step, uint32_t rank) const;

    uint32_t m_ranks;
    uint64_t m_bytes;
    uint32_t m_cuts;
    uint32_t m_bits; ///< Connections of a rank: log2 n.
    std::vector<Step> m_steps;
};

} // namespace ns3::rdma

#endif // RDMA_EXCHANGE_GRAPH_H
