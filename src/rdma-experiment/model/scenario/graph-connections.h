// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_GRAPH_CONNECTIONS_H
#define RDMA_GRAPH_CONNECTIONS_H

#include "ns3/flow-endpoints.h"
#include "ns3/flow-graph.h"
#include "ns3/rdma-nic.h"

#include <functional>
#include <map>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-scenario
 * @brief The queue pairs of a graph's operations at the servers of this rank.
 *
 * An operation is a WRITE with immediate data, its number: so the receiver has a completion when
 * the last byte is there.  A queue pair of one operation is made when that begins; a shared one
 * lives as long as the run.
 */
class GraphConnections
{
  public:
    /// The graph, the endpoints and the NICs outlive this. @param endpoints is asked for each
    /// connection, in their order @param nics by endpoint id; @param isHere whether a node is of
    /// this rank
    /// @param onReceived called for each operation that is complete at its receiver
    GraphConnections(const FlowGraph& graph,
                     FlowEndpoints& endpoints,
                     const std::vector<Ptr<RdmaNic>>& nics,
                     const std::function<bool(uint32_t node)>& isHere,
                     std::function<void(uint32_t operation)> onReceived);
    ~GraphConnections();

    /// Makes the receiver of an operation ready. At its server's rank.
    void Expect(uint32_t operation);

    /// Posts an operation. At its sender's rank. @param wrId of its completion
    /// @return false: its shared queue pair is gone
    bool Post(uint32_t operation, uint64_t wrId);

    /// The sender of an operation needs its queue pair no more, unless it is shared.
    void CloseSender(uint32_t operation);

    const ConnectionEnds& GetEnds(uint32_t operation) const;
    uint32_t GetSrcQp(uint32_t operation) const;
    uint32_t GetDstQp(uint32_t operation) const;

    /// @return what an operation's queue pair has sent since it was made, or since it was last
    /// asked for: operations on a shared one end in their order, and each has what came after the
    /// one before.
    RequesterStats TakeStats(uint32_t operation);

    /// @return bytes acknowledged on the shared queue pairs of this rank's senders.
    uint64_t GetSharedBytes() const;

  private:
    void MakeSender(const FlowGraph::Connection& connection);
    void MakeReceiver(const FlowGraph::Connection& connection);
    void OnReceived(CompletionQueue& queue);
    RdmaNic& GetNic(uint32_t endpoint) const;

    const FlowGraph& m_graph;
    const FlowEndpoints& m_endpoints;
    const std::vector<Ptr<RdmaNic>>& m_nics;
    std::vector<ConnectionEnds> m_ends; ///< By connection.
    Ptr<ProtectionDomain> m_domain; ///< Of all receivers: they have the same keys on every rank.
    MemoryRegion m_region;          ///< Which holds the longest message.
    std::function<void(uint32_t operation)> m_onReceived;
    std::map<uint32_t, Ptr<CompletionQueue>> m_queues;  ///< By node id: of its receivers.
    std::vector<const FlowGraph::Connection*> m_shared; ///< Those of this rank's senders.
    std::map<uint32_t, RequesterStats> m_taken;         ///< By first operation of a shared one.
};

} // namespace ns3::rdma

#endif // RDMA_GRAPH_CONNECTIONS_H
