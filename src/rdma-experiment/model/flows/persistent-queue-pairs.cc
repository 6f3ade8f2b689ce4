// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/persistent-queue-pairs.h"

#include "ns3/flow-path.h"

#include <utility>

namespace ns3::rdma
{

namespace
{
constexpr uint64_t BUFFER{uint64_t{1} << 32}; ///< Address of the region.

/// @return by node.
std::vector<uint32_t>
CountQueuePairs(const FlowGraph& graph, std::size_t nodes)
{
    std::vector<uint32_t> counts(nodes, 0);
    for (const FlowGraph::Connection& connection : graph.GetConnections())
    {
        const FlowOperation& one = graph.Get(connection.first);
        ++counts[one.src];
        ++counts[one.dst];
    }
    return counts;
}
} // namespace

PersistentQueuePairs::PersistentQueuePairs(const FlowGraph& graph,
                                           FlowEndpoints& endpoints,
                                           const std::vector<Ptr<RdmaNic>>& nics,
                                           const std::function<bool(uint32_t node)>& isHere,
                                           QueuePairNumbers& numbers,
                                           uint64_t pathBase,
                                           const TrafficClass& trafficClass,
                                           std::function<void(uint32_t operation)> onReceived)
    : m_graph(graph),
      m_endpoints(endpoints),
      m_nics(nics),
      m_before(numbers.TakeAll(CountQueuePairs(graph, nics.size()))),
      m_pathBase(pathBase),
      m_attributes(trafficClass.MakeAttributes()),
      m_domain(Create<ProtectionDomain>()),
      m_region(m_domain->Register(BUFFER,
                                  FlowGraph::MAX_BYTES,
                                  memory_access::LOCAL_WRITE | memory_access::REMOTE_WRITE |
                                      memory_access::REMOTE_READ)),
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
            m_queues[node] = std::make_unique<PolledQueue>(
                [this](const WorkCompletion& completion) { OnReceived(completion); });
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

RdmaNic&
PersistentQueuePairs::GetNic(uint32_t endpoint) const
{
    return *m_nics[endpoint];
}

uint32_t
PersistentQueuePairs::GetSrcQp(const FlowGraph::Connection& connection) const
{
    const uint32_t node = m_graph.Get(connection.first).src;
    return QueuePairTable::GetNumber(m_before[node] + connection.srcPlace);
}

uint32_t
PersistentQueuePairs::GetDstQp(const FlowGraph::Connection& connection) const
{
    const uint32_t node = m_graph.Get(connection.first).dst;
    return QueuePairTable::GetNumber(m_before[node] + connection.dstPlace);
}

const FlowGraph::Connection&
PersistentQueuePairs::GetConnection(uint64_t operation) const
{
    return m_graph.GetConnection(static_cast<uint32_t>(operation));
}

const ConnectionEnds&
PersistentQueuePairs::GetEnds(const FlowGraph::Connection& connection) const
{
    return m_ends[static_cast<std::size_t>(&connection - m_graph.GetConnections().data())];
}

void
PersistentQueuePairs::MakeSender(const FlowGraph::Connection& connection)
{
    const ConnectionEnds& ends = GetEnds(connection);
    const uint32_t srcQp = GetSrcQp(connection);
    RdmaNic& sender = GetNic(ends.src);
    sender.CreateQueuePair({}, srcQp, m_endpoints.GetPort(ends.src));
    sender.Connect(srcQp,
                   {ends.dst,
                    GetDstQp(connection),
                    FlowPath::MakeEntropy(m_pathBase + connection.first, true)},
                   m_attributes);
}

void
PersistentQueuePairs::MakeReceiver(const FlowGraph::Connection& connection)
{
    const ConnectionEnds& ends = GetEnds(connection);
    const uint32_t dstQp = GetDstQp(connection);
    QueuePairInit init;
    init.domain = m_domain;
    init.receiveCompletions = m_queues.at(m_graph.Get(connection.first).dst)->Get();
    RdmaNic& receiver = GetNic(ends.dst);
    receiver.CreateQueuePair(init, dstQp, m_endpoints.GetPort(ends.dst));
    receiver.Connect(dstQp,
                     {ends.src,
                      GetSrcQp(connection),
                      FlowPath::MakeEntropy(m_pathBase + connection.first, false)},
                     m_attributes);
}

void
PersistentQueuePairs::Expect(uint64_t operation)
{
    const FlowGraph::Connection& connection = GetConnection(operation);
    if (!connection.isShared)
    {
        MakeReceiver(connection);
    }
    const WrOpcode opcode = GetOperation(operation);
    if (!ConsumesReceive(opcode))
    {
        return;
    }
    ReceiveWorkRequest request;
    request.wrId = operation;
    if (opcode == WrOpcode::SEND)
    {
        const auto bytes =
            static_cast<uint32_t>(m_graph.Get(static_cast<uint32_t>(operation)).bytes);
        request.sgList.push_back({m_region.address, bytes, m_region.localKey});
    }
    GetNic(GetEnds(connection).dst).PostReceive(GetDstQp(connection), request);
}

FlowQueuePair
PersistentQueuePairs::Open(uint64_t operation, const FlowArrival&)
{
    const FlowGraph::Connection& connection = GetConnection(operation);
    if (!connection.isShared)
    {
        MakeSender(connection);
    }
    return {GetEnds(connection),
            GetSrcQp(connection),
            GetDstQp(connection),
            connection.isShared,
            std::nullopt};
}

bool
PersistentQueuePairs::Post(uint64_t operation,
                           const FlowQueuePair& queuePair,
                           uint64_t bytes,
                           uint64_t wrId)
{
    SendWorkRequest request;
    request.wrId = wrId;
    request.opcode = GetOperation(operation);
    request.sgList.push_back({0, static_cast<uint32_t>(bytes), 0});
    request.immediate = static_cast<uint32_t>(operation);
    request.remoteAddress = m_region.address;
    request.remoteKey = m_region.remoteKey;
    return GetNic(queuePair.ends.src).PostSend(queuePair.srcQp, request) == PostResult::OK;
}

void
PersistentQueuePairs::Close(uint64_t operation, uint32_t srcEndpoint, uint32_t srcQp)
{
    if (!GetConnection(operation).isShared)
    {
        GetNic(srcEndpoint).DestroyQueuePair(srcQp);
    }
}

uint64_t
PersistentQueuePairs::GetPathNumber(uint64_t operation) const
{
    return GetConnection(operation).first;
}

WrOpcode
PersistentQueuePairs::GetOperation(uint64_t operation) const
{
    const WrOpcode opcode = m_graph.GetOpcode(static_cast<uint32_t>(operation));
    return opcode == WrOpcode::RDMA_WRITE ? WrOpcode::RDMA_WRITE_WITH_IMM : opcode;
}

void
PersistentQueuePairs::OnReceived(const WorkCompletion& completion)
{
    if (completion.status == WcStatus::SUCCESS)
    {
        m_onReceived(static_cast<uint32_t>(completion.wrId));
    }
}

RequesterStats
PersistentQueuePairs::TakeStats(uint64_t operation, uint32_t srcEndpoint, uint32_t srcQp)
{
    const FlowGraph::Connection& connection = GetConnection(operation);
    const auto queuePair = GetNic(srcEndpoint).FindQueuePair(srcQp);
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
    stats.idleTimeouts -= before.idleTimeouts;
    return stats;
}

const Requester*
PersistentQueuePairs::FindRequester(const FlowGraph::Connection& shared) const
{
    return GetNic(GetEnds(shared).src).FindQueuePair(GetSrcQp(shared))->requester;
}

uint64_t
PersistentQueuePairs::GetSharedBytes() const
{
    uint64_t bytes = 0;
    for (const FlowGraph::Connection* connection : m_shared)
    {
        if (const Requester* const requester = FindRequester(*connection))
        {
            const RequesterStats stats = requester->GetStats();
            bytes += stats.ackedBytes + stats.readBytes;
        }
    }
    return bytes;
}

uint64_t
PersistentQueuePairs::MeasureSharedProgress() const
{
    uint64_t progress = 0;
    for (const FlowGraph::Connection* connection : m_shared)
    {
        if (const Requester* const requester = FindRequester(*connection))
        {
            progress += requester->GetAcknowledgedBytes();
            // The requests of a READ have no payload, and the packets of its response have numbers.
            progress += connection->hasReads ? requester->GetWindow().GetUnacked() : 0;
        }
    }
    return progress;
}

} // namespace ns3::rdma
