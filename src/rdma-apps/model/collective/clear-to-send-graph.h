// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_CLEAR_TO_SEND_GRAPH_H
#define RDMA_CLEAR_TO_SEND_GRAPH_H

#include "ns3/nccl-peer-schedule.h"
#include "ns3/nccl-protocol.h"
#include "ns3/operation-graph.h"

#include <memory>

namespace ns3::rdma
{

/// How a library moves the messages of a graph.
struct ClearToSendRules
{
    uint32_t pieces{1}; ///< Of each message, or of each part of it.
    uint32_t window{8}; ///< Pieces of a connection for which the receiver has buffers.
    /// Pieces above this size are followed by a notification without data; UINT64_MAX: none.
    uint64_t separateNoticeBytes{UINT64_MAX};
    NcclProtocol protocol{NcclProtocol::SIMPLE}; ///< Of the pieces.
    /// Cuts messages into parts and takes the place of `window`; null: one part. Of a graph that
    /// has one message per connection, and whose ranks each have the same rounds.
    std::shared_ptr<const NcclPeerSchedule> schedule;
    uint64_t copyBps{
        0}; ///< Bits per second that all warps of a schedule's channel copy; 0: no copies.
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
 * With a schedule, each part of a message has its own connection.  The first entries of a part wait
 * for the arrival of all parts of the batch before it on the receiver's channel, its first pieces
 * for the completions of the sender's.
 *
 * By LL and LL128 a piece is longer on the wire, by its flags.
 *
 * In NCCL the entry is a plain WRITE that the sender's proxy polls for; here it is a WRITE with
 * immediate data, which takes a receive request.  Not modelled: the proxies' polling, copies other
 * than those of a schedule, and the threads that read the flags of LL and LL128.
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
    /// An entry or the piece that it allows. Numbers count these two first, then pieces, parts,
    /// messages.
    struct Piece
    {
        uint64_t message;
        uint32_t part;
        uint32_t piece;
        bool isEntry;
    };

    Piece FindPiece(uint64_t id) const;
    uint64_t GetNumber(const Piece& piece) const;
    /// @return pieces in flight. @param connection of a part
    uint32_t GetWindow(uint32_t connection) const;
    /// @return null without a schedule. @param connection of a part
    const NcclLane* FindLane(uint32_t connection) const;
    /// @return parts that a part's first pieces wait for. @param connection of the part
    uint32_t CountBefore(uint32_t connection) const;
    /// @return the connection of a lane. @param of the graph's connections of a rank, by round
    uint32_t FindConnection(const std::vector<uint32_t>& connections, uint32_t lane) const;
    /// Calls for an entry or piece of a place of a part's connection, if there is one.
    void VisitPlace(uint32_t connection, uint64_t place, bool isEntry, const Visitor& visit) const;
    void VisitNextBatch(const RankMessage& message,
                        uint32_t connection,
                        const Visitor& visit) const;

    std::shared_ptr<const OperationGraph> m_graph;
    ClearToSendRules m_rules;
    uint32_t m_parts;                              ///< Of a message.
    std::vector<RankConnection> m_connections;     ///< Of the graph.
    std::vector<std::vector<uint32_t>> m_outgoing; ///< Its connections by sender.
    std::vector<std::vector<uint32_t>> m_incoming; ///< By receiver, ordered as its rounds.
};

} // namespace ns3::rdma

#endif // RDMA_CLEAR_TO_SEND_GRAPH_H
