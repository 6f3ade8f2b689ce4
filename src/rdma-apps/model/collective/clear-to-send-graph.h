// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_CLEAR_TO_SEND_GRAPH_H
#define RDMA_CLEAR_TO_SEND_GRAPH_H

#include "ns3/nccl-protocol.h"
#include "ns3/operation-graph.h"

#include <memory>

namespace ns3::rdma
{

/// How a library moves the messages of a graph.
struct ClearToSendRules
{
    uint32_t pieces{1}; ///< Of each message.
    uint32_t window{8}; ///< Pieces of a connection for which the receiver has buffers.
    /// Pieces above this size are followed by a notification without data; UINT64_MAX: none.
    uint64_t separateNoticeBytes{UINT64_MAX};
    NcclProtocol protocol{NcclProtocol::SIMPLE}; ///< Of the pieces.
};

/**
 * @ingroup rdma-collective
 * @brief A graph whose messages are sent when their receivers have room, as NCCL 2.30 sends over
 * InfiniBand verbs (src/transport/net_ib).
 *
 * The receiver of a piece writes an entry of 64 bytes (address, size, keys) into the sender's
 * memory, over the same pair of queue pairs; the sender then posts the piece.  The entry for a
 * piece is written when the piece `window` places before it on its connection has arrived.  A
 * message ends with its last piece.
 *
 * By LL and LL128 a piece is longer on the wire, by its flags.
 *
 * In NCCL the entry is a plain WRITE that the sender's proxy polls for; here it is a WRITE with
 * immediate data, which takes a receive request.  Not modelled: the proxies' polling, the copy
 * from the receiving buffer, and the threads that read the flags of LL and LL128.
 */
class ClearToSendGraph : public OperationGraph
{
  public:
    static constexpr uint64_t ENTRY_BYTES{64}; ///< One entry of the FIFO.

    /// @param graph each message is cut into rules.pieces
    ClearToSendGraph(std::shared_ptr<const OperationGraph> graph, const ClearToSendRules& rules);

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
    /// An entry or the piece that it allows. Numbers count these two first, then pieces, messages.
    struct Part
    {
        uint64_t message;
        uint32_t piece;
        bool isEntry;
    };

    Part FindPart(uint64_t id) const;
    uint64_t GetNumber(const Part& part) const;
    /// Calls for the entry of a place of a connection, if there is one.
    void VisitEntry(uint32_t connection, uint64_t place, const Visitor& visit) const;

    std::shared_ptr<const OperationGraph> m_graph;
    ClearToSendRules m_rules;
    std::vector<RankConnection> m_connections;     ///< Of the graph.
    std::vector<std::vector<uint32_t>> m_incoming; ///< Connections by receiver.
};

} // namespace ns3::rdma

#endif // RDMA_CLEAR_TO_SEND_GRAPH_H
