// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_GRAPH_STARTER_H
#define RDMA_GRAPH_STARTER_H

#include "ns3/byte-buffer.h"
#include "ns3/fabric.h"
#include "ns3/flow-graph.h"
#include "ns3/window-loop.h"

#include <algorithm>
#include <functional>
#include <vector>

namespace ns3::rdma
{

/// Parameters of a GraphStarter; all objects outlive the starter.
struct GraphStarterConfig
{
    Fabric* fabric;
    const FlowGraph* graph;
    uint32_t ackFrameBytes;                         ///< Of a control message.
    uint32_t ranks;                                 ///< How many ranks there are.
    std::function<uint32_t(uint32_t node)> getRank; ///< Of a server.
    uint32_t ownRank;
    std::function<void(uint32_t operation)> onStart;  ///< At its sender.
    std::function<void(uint32_t operation)> onExpect; ///< At its receiver, before its first packet.
    uint64_t pathBase{0}; ///< Added to the number of an operation for its path.
    Tick start{0};        ///< Delays of operations without predecessors count from it.
    Tick end{TICK_NEVER}; ///< No operation starts then or later.
};

/**
 * @ingroup rdma-scenario
 * @brief Starts the operations of a graph: each at its sender, when its predecessors have ended and
 * its delay is over.
 *
 * A WRITE or SEND ends at its receiver with the receiver's completion, at its sender with the
 * sender's completion.  If one of these two servers is the sender of a dependent operation, its own
 * completion starts it.  Any other server is notified by a control message of the receiver, which
 * takes as long as an acknowledgment on an idle path.  A READ has one completion, that of its
 * requester, where the data are: a dependent operation of any other server, the responder included,
 * is started by a control message of the requester.  The other end of an operation is notified of
 * the start after the shortest delay of any link, before the first packet can arrive.
 *
 * Events at the same time are handled in the order of operation numbers, so that results do not
 * depend on the ranks.  Not modelled: queueing and loss of control messages.
 */
class GraphStarter : private EventTarget
{
  public:
    explicit GraphStarter(GraphStarterConfig config);
    ~GraphStarter() override;

    /// Schedules the operations of this rank's senders that have no predecessor.
    void Start();

    /// @param all state of all ranks
    /// @return operations that have started on all ranks, as far as known on this rank
    uint64_t CountStarted(const WindowState& all) const
    {
        return std::max(all.started, m_started);
    }

    /// @return whether all operations have started, on all ranks.
    bool IsAllStarted(const WindowState& all) const
    {
        return all.started == m_graph.GetCount() || all.now >= m_config.end;
    }

    /// @return whether further operations will start. Those that depend on a failed one never do:
    /// then there is no work either.
    bool MayStartMore(const WindowState& all) const
    {
        return !IsAllStarted(all) && all.nextWork != TICK_NEVER;
    }

    /// An operation is complete at its receiver, which is a server of this rank.
    void OnReceived(uint64_t operation);
    /// An operation of this rank's senders has completed.
    void OnSent(uint64_t operation);

    /// @return whether the receiver of an operation has its completion; true for a READ, which has
    /// none.
    bool IsReceived(uint64_t operation) const
    {
        return m_isReceived[operation] || m_graph.IsRead(static_cast<uint32_t>(operation));
    }

    /// @return the shortest delay of messages to other ranks.
    Tick GetLookahead() const
    {
        return m_noticeDelay;
    }

    /// @return arrival of the first message that other ranks do not have yet.
    Tick GetEarliestSent() const
    {
        return m_earliestSent;
    }

    /// Appends the messages for a rank.
    void Pack(uint32_t rank, ByteBuffer& buffer);
    void Unpack(ByteReader& reader);
    /// Called when all ranks have received their messages.
    void ForgetSent();

  private:
    enum Kind : uint32_t
    {
        EXPECT,      ///< Its receiver is made ready.
        PREDECESSOR, ///< Its sender is notified that one predecessor has ended.
        BEGIN,       ///< Its delay is over.
    };

    struct Notice
    {
        Tick at;
        uint32_t operation;
        Kind kind;
    };

    static bool IsLater(const Notice& left, const Notice& right);
    void HandleEvent(uint32_t kind, uint32_t argument) override;
    void Handle(const Notice& notice);
    void CountPredecessor(uint32_t operation);
    void Begin(uint32_t operation);
    void Send(uint32_t node, const Notice& notice);
    void Enter(const Notice& notice);
    bool IsHere(uint32_t node) const;
    /// Notifies the sender of a dependent operation by a control message.
    void NotifyAfter(uint32_t operation, uint32_t dependent);

    GraphStarterConfig m_config;
    const FlowGraph& m_graph;
    FabricEngine& m_engine;
    uint32_t m_target;
    Tick m_noticeDelay;
    Tick m_longestFlight;                      ///< Used if a link is down.
    std::vector<uint32_t> m_missing;           ///< By operation: predecessors that have not ended.
    std::vector<bool> m_isReceived;            ///< By operation.
    std::vector<Notice> m_heap;                ///< The next one on top.
    std::vector<std::vector<Notice>> m_outbox; ///< By rank.
    Tick m_earliestSent{TICK_NEVER};
    uint64_t m_started{0}; ///< Operations of this rank's senders.
};

} // namespace ns3::rdma

#endif // RDMA_GRAPH_STARTER_H
