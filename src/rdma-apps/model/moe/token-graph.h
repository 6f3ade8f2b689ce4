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

/// A message that another one waits for. Each is its number in the list of messages.
struct TokenDependency
{
    uint32_t before; ///< It has no predecessor, and its receiver sends the other message.
    uint32_t after;
};

/**
 * @ingroup rdma-collective
 * @brief Messages, of which two ranks may have many in both directions, and some of which wait for
 * others.
 *
 * The two directions of a pair of ranks share queue pairs.  Pairs without a message have none.
 *
 * The bound is the busiest link at its rate.  Links are the NICs of senders and of receivers, and
 * those of senders inside servers.  A link is idle before the first predecessor of its messages has
 * arrived, and after its last message come the latency and the messages that wait for it, which
 * leave their sender one after the other: the shortest of these times counts.
 */
class TokenGraph : public OperationGraph
{
  public:
    /// @param messages those of a sender in the order of posting @param queuePairs of two ranks
    /// @param dependencies in any order
    TokenGraph(uint32_t ranks,
               uint32_t queuePairs,
               std::vector<TokenMessage> messages,
               std::vector<TokenDependency> dependencies = {});

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
    /// Times of a message in the empty network.
    struct Cost
    {
        Tick duration;     ///< At its sender.
        Tick latency;      ///< From there to its end.
        Tick earliest{0};  ///< When it can be posted.
        Tick following{0}; ///< From its end to that of the messages that wait for it.
    };

    std::vector<Cost> FindCosts(const PathTimes& times) const;

    uint32_t m_ranks;
    std::vector<TokenMessage> m_messages;
    std::vector<RankConnection> m_connections;
    std::vector<TokenDependency> m_dependencies;     ///< By `before`, then `after`.
    std::vector<uint32_t> m_predecessors;            ///< By message.
    std::vector<uint32_t> m_connectionOf;            ///< By message.
    std::vector<uint32_t> m_places;                  ///< By message.
    std::vector<std::vector<uint32_t>> m_messagesOf; ///< By connection.
    std::vector<std::vector<uint32_t>> m_first;      ///< By rank; without predecessors.
};

} // namespace ns3::rdma

#endif // RDMA_TOKEN_GRAPH_H
