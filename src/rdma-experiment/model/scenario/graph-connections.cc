// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/graph-connections.h"

#include "ns3/flow-path.h"

#include <limits>
#include <utility>

namespace ns3::rdma
{

namespace
{
constexpr uint64_t BUFFER{uint64_t{1} << 32}; ///< Address of the region.
} // namespace

GraphConnections::GraphConnections(const FlowGraph& graph,
                                   FlowEndpoints& endpoints,
                                   const std::vector<Ptr<RdmaNic>>& nics,
                                   const std::function<bool(uint32_t node)>& isHere,
                                   std::function<void(uint32_t operation)> onReceived)
    : m_graph(graph),
      m_endpoints(endpoints),
      m_nics(nics),
      m_domain(Create<ProtectionDomain>()),
      m_region(m_domain->Register(BUFFER,
                                  FlowGraph::MAX_BYTES,
                                  memory_access::LOCAL_WRITE | memory_access::REMOTE_WRITE)),
      m_onReceived(std::move(onReceived))
{
    for (const FlowGraph::Connection& connection : graph.GetConnections())
    {
        const FlowOperation& one = graph.Get(connection.first);
        m_ends.push_back(endpoints.Choose(one.src, one.dst));
    }
    for (uint32_t operation = 0; operation < graph.GetCount(); ++operation)
    {
        const uint32_t node = graph.Get(operation).dst;
        if (isHere(node) && m_queues.count(node) == 0)
        {
            const auto queue = Create<CompletionQueue>(std::numeric_limits<uint32_t>::max());
            queue->SetNotifier([this, queue = PeekPointer(queue)] { OnReceived(*queue); });
            queue->RequestNotify(false);
            m_queues[node] = queue;
        }
    }
    for (const FlowGraph::Connection& connection : graph.GetConnections())
    {
        if (connection.isShared && isHere(graph.Get(connection.first).src))
        {
            MakeSender(connection);
            m_shared.push_back(&connection);
        }
        if (connection.isShared && isHere(graph.Get(connection.first).dst))
        {
            MakeReceiver(connection);
        }
    }
}

GraphConnections::~GraphConnections()
{
    for (const auto& [node, queue] : m_queues)
    {
        queue->SetNotifier(nullptr); // The NICs outlive this.
    }
}

RdmaNic&
GraphConnections::GetNic(uint32_t endpoint) const
{
    return *m_nics[endpoint];
}

const ConnectionEnds&
GraphConnections::GetEnds(uint32_t operation) const
{
    const FlowGraph::Connection& connection = m_graph.GetConnection(operation);
    return m_ends[static_cast<std::size_t>(&connection - m_graph.GetConnections().data())];
}

uint32_t
GraphConnections::GetSrcQp(uint32_t operation) const
{
    return QueuePairTable::GetNumber(m_graph.GetConnection(operation).srcPlace);
}

uint32_t
GraphConnections::GetDstQp(uint32_t operation) const
{
    return QueuePairTable::GetNumber(m_graph.GetConnection(operation).dstPlace);
}

void
GraphConnections::MakeSender(const FlowGraph::Connection& connection)
{
    const ConnectionEnds& ends = GetEnds(connection.first);
    const uint32_t srcQp = GetSrcQp(connection.first);
    RdmaNic& sender = GetNic(ends.src);
    sender.CreateQueuePair({}, srcQp, m_endpoints.GetPort(ends.src));
    sender.Connect(
        srcQp,
        {ends.dst, GetDstQp(connection.first), FlowPath::MakeEntropy(connection.first, true)});
}

void
GraphConnections::MakeReceiver(const FlowGraph::Connection& connection)
{
    const ConnectionEnds& ends = GetEnds(connection.first);
    const uint32_t dstQp = GetDstQp(connection.first);
    QueuePairInit init;
    init.domain = m_domain;
    init.receiveCompletions = m_queues.at(m_graph.Get(connection.first).dst);
    RdmaNic& receiver = GetNic(ends.dst);
    receiver.CreateQueuePair(init, dstQp, m_endpoints.GetPort(ends.dst));
    receiver.Connect(
        dstQp,
        {ends.src, GetSrcQp(connection.first), FlowPath::MakeEntropy(connection.first, false)});
}

void
GraphConnections::Expect(uint32_t operation)
{
    const FlowGraph::Connection& connection = m_graph.GetConnection(operation);
    if (!connection.isShared)
    {
        MakeReceiver(connection);
    }
    ReceiveWorkRequest request;
    request.wrId = operation;
    GetNic(GetEnds(operation).dst).PostReceive(GetDstQp(operation), request);
}

bool
GraphConnections::Post(uint32_t operation, uint64_t wrId)
{
    const FlowGraph::Connection& connection = m_graph.GetConnection(operation);
    if (!connection.isShared)
    {
        MakeSender(connection);
    }
    const FlowOperation& one = m_graph.Get(operation);
    SendWorkRequest request;
    request.wrId = wrId;
    request.opcode = WrOpcode::RDMA_WRITE_WITH_IMM;
    request.sgList.push_back({0, static_cast<uint32_t>(one.bytes), 0});
    request.immediate = operation;
    request.remoteAddress = m_region.address;
    request.remoteKey = m_region.remoteKey;
    return GetNic(GetEnds(operation).src).PostSend(GetSrcQp(operation), request) == PostResult::OK;
}

void
GraphConnections::CloseSender(uint32_t operation)
{
    if (!m_graph.GetConnection(operation).isShared)
    {
        GetNic(GetEnds(operation).src).DestroyQueuePair(GetSrcQp(operation));
    }
}

void
GraphConnections::OnReceived(CompletionQueue& queue)
{
    queue.RequestNotify(false);
    std::vector<WorkCompletion> completions;
    queue.Poll(queue.GetCount(), completions);
    for (const WorkCompletion& completion : completions)
    {
        if (completion.status == WcStatus::SUCCESS)
        {
            m_onReceived(completion.immediate);
        }
    }
}

RequesterStats
GraphConnections::TakeStats(uint32_t operation)
{
    const FlowGraph::Connection& connection = m_graph.GetConnection(operation);
    const auto queuePair = GetNic(GetEnds(operation).src).FindQueuePair(GetSrcQp(operation));
    RequesterStats stats;
    if (queuePair->requester)
    {
        stats = queuePair->requester->GetStats();
    }
    if (!connection.isShared)
    {
        return stats;
    }
    const RequesterStats before = std::exchange(m_taken[connection.first], stats);
    stats.packets -= before.packets;
    stats.retransmitted -= before.retransmitted;
    stats.timeouts -= before.timeouts;
    return stats;
}

uint64_t
GraphConnections::GetSharedBytes() const
{
    uint64_t bytes = 0;
    for (const FlowGraph::Connection* connection : m_shared)
    {
        const auto queuePair =
            GetNic(GetEnds(connection->first).src).FindQueuePair(GetSrcQp(connection->first));
        bytes += queuePair->requester ? queuePair->requester->GetAcknowledgedBytes() : 0;
    }
    return bytes;
}

} // namespace ns3::rdma
