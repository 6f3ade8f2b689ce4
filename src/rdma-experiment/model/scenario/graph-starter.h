// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_GRAPH_STARTER_H
#define RDMA_GRAPH_STARTER_H

#include "ns3/byte-buffer.h"
#include "ns3/fabric.h"
#include "ns3/flow-graph.h"

#include <functional>
#include <vector>

namespace ns3::rdma
{

/// What a GraphStarter works with; all of it outlives the starter.
struct GraphStarterConfig
{
    Fabric* fabric;
    const FlowGraph* graph;
    uint32_t ackFrameBytes;                         ///< Of a control message.
    uint32_t ranks;                                 ///< How many there are.
    std::function<uint32_t(uint32_t node)> getRank; ///< Of a server.
    uint32_t ownRank;
    std::function<void(uint32_t operation)> onStart;  ///< At its sender.
    std::function<void(uint32_t operation)> onExpect; ///< At its receiver, before its first packet.
};

/**
 * @ingroup rdma-scenario
 * @brief Starts the operations of a graph: each at its sender, when its predecessors have ended and
 * its delay is over.
 *
 * An operation has ended at its receiver when the last byte is there and completed, at its sender
 * with the sender's completion.  A dependent whose sender is one of these two starts by that.  Any
 * other server is notified of it by a control message of the receiver, which takes as long as an
 * acknowledgment on an idle path.  The receiver is notified of a start, so as to be ready, after
 * the shortest delay of any link: before the first packet can be there.
 *
 * What falls due at the same time is handled by number, so that it does not matter which rank a
 * server is on.  Not modelled: control messages wait for nothing and are never lost.
 */
class GraphStarter : private EventTarget
{
  public:
    explicit GraphStarter(GraphStarterConfig config);
    ~GraphStarter() override;

    /// Schedules the operations of this rank's senders that have no predecessor.
    void Start();

    /// An operation to one of this rank's servers is complete there.
    void OnReceived(uint32_t operation);

    /// An operation of one of this rank's servers is complete there.
    void OnSent(uint32_t operation);

    /// @return whether an operation to one of this rank's servers is complete there.
    bool IsReceived(uint32_t operation) const
    {
        return m_isReceived[operation];
    }

    /// @return operations of this rank's senders that have been started.
    uint64_t GetStarted() const
    {
        return m_started;
    }

    /// @return how long what is packed for other ranks is under way at least.
    Tick GetLookahead() const
    {
        return m_noticeDelay;
    }

    /// @return arrival of the first notice that other ranks do not have yet.
    Tick GetEarliestSent() const
    {
        return m_earliestSent;
    }

    /// Appends the notices for a rank.
    void Pack(uint32_t rank, ByteBuffer& buffer);
    void Unpack(ByteReader& reader);
    /// All ranks have their notices.
    void ForgetSent();

  private:
    enum Kind : uint32_t
    {
        EXPECT,      ///< Its receiver gets ready.
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
    Tick GetFlightTime(uint32_t operation, uint32_t to) const;

    GraphStarterConfig m_config;
    const FlowGraph& m_graph;
    FabricEngine& m_engine;
    uint32_t m_target;
    Tick m_noticeDelay;
    Tick m_longestFlight;            ///< Where a link is down.
    std::vector<uint32_t> m_missing; ///< By operation: predecessors that its sender waits for.
    std::vector<bool> m_isReceived;  ///< By operation.
    std::vector<Notice> m_heap;      ///< The next one on top.
    std::vector<std::vector<Notice>> m_outbox; ///< By rank.
    Tick m_earliestSent{TICK_NEVER};
    uint64_t m_started{0};
};

} // namespace ns3::rdma

#endif // RDMA_GRAPH_STARTER_H
