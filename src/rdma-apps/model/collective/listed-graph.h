// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_LISTED_GRAPH_H
#define RDMA_LISTED_GRAPH_H

#include "ns3/operation-graph.h"

namespace ns3::rdma
{

/// A message of a ListedGraph.
struct ListedMessage
{
    uint32_t src;
    uint32_t dst;
    uint64_t bytes;
    std::vector<uint32_t> after; ///< Predecessors: numbers below this message's own.
};

/**
 * @ingroup rdma-collective
 * @brief Messages in a list, for algorithms with few of them: trees.
 *
 * Messages between two ranks in one direction share a connection.  The bound is the longest chain,
 * exact if no two connections share a link and no rank sends or receives two messages at a time.
 */
class ListedGraph : public OperationGraph
{
  public:
    ListedGraph(uint32_t ranks, std::vector<ListedMessage> messages);

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
    uint32_t m_ranks;
    std::vector<ListedMessage> m_messages;
    std::vector<std::vector<uint32_t>> m_dependents; ///< By message.
    std::vector<std::vector<uint32_t>> m_first;      ///< By rank.
    std::vector<uint32_t> m_connectionOf;            ///< By message.
    std::vector<uint64_t> m_places;                  ///< By message.
    std::vector<std::vector<uint32_t>> m_messagesOf; ///< By connection.
    std::vector<RankConnection> m_connections;
    bool m_hasSenderDependencies{false};
};

} // namespace ns3::rdma

#endif // RDMA_LISTED_GRAPH_H
