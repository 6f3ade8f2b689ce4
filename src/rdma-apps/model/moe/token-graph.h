// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_TOKEN_GRAPH_H
#define RDMA_TOKEN_GRAPH_H

#include "ns3/operation-graph.h"

namespace ns3::rdma
{

/// A message of a TokenGraph.
struct TokenMessage
{
    uint32_t src;
    uint32_t dst;
    uint32_t queuePair; ///< Number among those of the two ranks.
    uint64_t bytes;
};

/**
 * @ingroup rdma-collective
 * @brief Messages without dependencies, of which two ranks may have many in both directions.
 *
 * The two directions of a pair of ranks share queue pairs.  Pairs without a message have none.  The
 * bound is the busiest sender or receiver at its link's rate, with the shortest latency of its
 * messages.
 */
class TokenGraph : public OperationGraph
{
  public:
    /// @param messages those of a sender in the order of posting @param queuePairs of two ranks
    TokenGraph(uint32_t ranks, uint32_t queuePairs, std::vector<TokenMessage> messages);

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
    uint32_t m_ranks;
    std::vector<TokenMessage> m_messages;
    std::vector<RankConnection> m_connections;
    std::vector<uint32_t> m_connectionOf;            ///< By message.
    std::vector<uint32_t> m_places;                  ///< By message.
    std::vector<std::vector<uint32_t>> m_messagesOf; ///< By connection.
    std::vector<std::vector<uint32_t>> m_first;      ///< By rank.
};

} // namespace ns3::rdma

#endif // RDMA_TOKEN_GRAPH_H
