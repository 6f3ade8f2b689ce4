// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FLOW_GRAPH_H
#define RDMA_FLOW_GRAPH_H

#include "ns3/flow-source.h"
#include "ns3/topology-graph.h"
#include "ns3/work-request.h"

#include <optional>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// A message between two servers that begins when other operations have ended.
struct FlowOperation
{
    std::string id;              ///< For messages.
    uint32_t src{0};             ///< Node id of the server that posts it.
    uint32_t dst{0};             ///< Node id.
    uint64_t bytes{0};           ///< At most 2^31.
    std::vector<uint32_t> after; ///< Numbers of its predecessors.
    int64_t delayPs{0};          ///< From the last predecessor's end, or from the start of the run.
    std::string queuePair;       ///< Name of a shared queue pair; empty: one of its own.
    /// RDMA_WRITE, RDMA_READ (data go from dst to src) or SEND; unset: that of the workload.
    std::optional<WrOpcode> opcode{};
};

/**
 * @ingroup rdma-workload
 * @brief Operations with dependencies. The number of an operation is its index in the list,
 * independent of the order in which they run.
 *
 * Connections are numbered in the order of their first operations, so that all processes of a run
 * agree on the queue pairs without communication.
 */
class FlowGraph
{
  public:
    static constexpr uint64_t MAX_BYTES{uint64_t{1} << 31}; ///< Longest message of InfiniBand.

    /// Two queue pairs and the operations that use them.
    struct Connection
    {
        uint32_t first;    ///< Number of its first operation: identifies its path.
        uint32_t srcPlace; ///< How many earlier queue pairs of the graph the sender has.
        uint32_t dstPlace; ///< The same for the receiver.
        bool isShared;     ///< It exists for the whole run.
        bool hasReads;     ///< Some of its operations are READs.
    };

    /**
     * @param operations predecessors are places in the list
     * @throws InputError "operations[3]: ..." for an operation that cannot run on the topology, for
     * a cycle, and for a shared queue pair that is not always between the same servers in the same
     * direction
     */
    FlowGraph(std::vector<FlowOperation> operations, const TopologyGraph& topology);

    uint32_t GetCount() const
    {
        return static_cast<uint32_t>(m_operations.size());
    }

    const FlowOperation& Get(uint32_t operation) const
    {
        return m_operations[operation];
    }

    /// @return what src posts; RDMA_WRITE is one with immediate data.
    WrOpcode GetOpcode(uint32_t operation) const
    {
        return m_operations[operation].opcode.value_or(WrOpcode::RDMA_WRITE);
    }

    bool IsRead(uint32_t operation) const
    {
        return GetOpcode(operation) == WrOpcode::RDMA_READ;
    }

    /// @return whether any operation is a READ.
    bool HasReads() const;

    /// @return operations that wait for one, rising.
    const std::vector<uint32_t>& GetDependents(uint32_t operation) const
    {
        return m_dependents[operation];
    }

    const Connection& GetConnection(uint32_t operation) const
    {
        return m_connections[m_connectionOf[operation]];
    }

    /// @return all connections, by number of their first operation.
    const std::vector<Connection>& GetConnections() const
    {
        return m_connections;
    }

  private:
    void CheckOperations(const TopologyGraph& topology) const;
    void CheckOrder() const;
    void MakeConnections(std::size_t nodes);

    std::vector<FlowOperation> m_operations;
    std::vector<std::vector<uint32_t>> m_dependents;
    std::vector<Connection> m_connections;
    std::vector<uint32_t> m_connectionOf; ///< By operation.
};

/// A graph as a workload: no flow starts by itself.
class GraphWorkload : public FlowSource
{
  public:
    explicit GraphWorkload(FlowGraph graph)
        : m_graph(std::move(graph))
    {
    }

    std::optional<FlowArrival> Next() override
    {
        return std::nullopt;
    }

    bool Rewind() override
    {
        return true;
    }

    std::optional<uint64_t> GetFlowCount() const override
    {
        return m_graph.GetCount();
    }

    const FlowGraph* GetGraph() const override
    {
        return &m_graph;
    }

  private:
    FlowGraph m_graph;
};

} // namespace ns3::rdma

#endif // RDMA_FLOW_GRAPH_H
