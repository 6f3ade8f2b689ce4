// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PERSISTENT_QUEUE_PAIRS_H
#define RDMA_PERSISTENT_QUEUE_PAIRS_H

#include "ns3/flow-graph.h"
#include "ns3/polled-queue.h"
#include "ns3/queue-pair-numbers.h"
#include "ns3/queue-pair-provider.h"
#include "ns3/traffic-class.h"

#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-scenario
 * @brief The queue pairs of a graph's operations, which several operations may share.
 *
 * A WRITE has immediate data, so that the receiver has a completion when the last byte has arrived,
 * as it has for a SEND.  For both, a receive request with the operation's number is posted when the
 * operation begins.  A READ has a completion at its requester alone.  A queue pair of one operation
 * is made when the operation begins; a shared one exists for the whole run.
 */
class PersistentQueuePairs : public QueuePairProvider
{
  public:
    /// The graph, the endpoints, the NICs and the numbers outlive this. @param endpoints is called
    /// for each connection, in order @param nics by endpoint id; @param isHere whether this rank
    /// simulates a node @param pathBase added to the number of an operation for its path
    /// @param trafficClass of all queue pairs
    /// @param onReceived called for each operation that is complete at its receiver
    PersistentQueuePairs(const FlowGraph& graph,
                         FlowEndpoints& endpoints,
                         const std::vector<Ptr<RdmaNic>>& nics,
                         const std::function<bool(uint32_t node)>& isHere,
                         QueuePairNumbers& numbers,
                         uint64_t pathBase,
                         const TrafficClass& trafficClass,
                         std::function<void(uint32_t operation)> onReceived);

    /// Makes the sender's end only, on its rank; Expect() makes the receiver's.
    FlowQueuePair Open(uint64_t operation, const FlowArrival& arrival) override;
    void Expect(uint64_t operation) override;
    bool Post(uint64_t operation,
              const FlowQueuePair& queuePair,
              uint64_t bytes,
              uint64_t wrId) override;
    void Close(uint64_t operation, uint32_t srcEndpoint, uint32_t srcQp) override;
    /// @return the first operation of the queue pair.
    uint64_t GetPathNumber(uint64_t operation) const override;
    WrOpcode GetOperation(uint64_t operation) const override;
    /// Operations on a shared queue pair end in order, and each has the counts since the end of the
    /// previous one.
    RequesterStats TakeStats(uint64_t operation, uint32_t srcEndpoint, uint32_t srcQp) override;
    uint64_t GetSharedBytes() const override;
    uint64_t MeasureSharedProgress() const override;

  private:
    const FlowGraph::Connection& GetConnection(uint64_t operation) const;
    const ConnectionEnds& GetEnds(const FlowGraph::Connection& connection) const;
    void MakeSender(const FlowGraph::Connection& connection);
    void MakeReceiver(const FlowGraph::Connection& connection);
    void OnReceived(const WorkCompletion& completion);
    RdmaNic& GetNic(uint32_t endpoint) const;
    /// @return null while it cannot send.
    const Requester* FindRequester(const FlowGraph::Connection& shared) const;
    uint32_t GetSrcQp(const FlowGraph::Connection& connection) const;
    uint32_t GetDstQp(const FlowGraph::Connection& connection) const;

    const FlowGraph& m_graph;
    const FlowEndpoints& m_endpoints;
    const std::vector<Ptr<RdmaNic>>& m_nics;
    std::vector<ConnectionEnds> m_ends; ///< By connection.
    std::vector<uint32_t> m_before;     ///< By node: queue pairs of other workloads.
    uint64_t m_pathBase;
    QueuePairAttributes m_attributes; ///< Of all queue pairs.
    Ptr<ProtectionDomain> m_domain; ///< Of all receivers, so that keys are the same on every rank.
    MemoryRegion m_region;          ///< As long as the longest message.
    std::function<void(uint32_t operation)> m_onReceived;
    /// Completion queues of receivers, by node id.
    std::map<uint32_t, std::unique_ptr<PolledQueue>> m_queues;
    /// Shared connections of this rank's senders.
    std::vector<const FlowGraph::Connection*> m_shared;
    std::map<uint32_t, RequesterStats> m_taken; ///< By first operation of a shared one.
};

} // namespace ns3::rdma

#endif // RDMA_PERSISTENT_QUEUE_PAIRS_H
