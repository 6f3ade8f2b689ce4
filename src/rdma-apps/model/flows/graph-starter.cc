// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/graph-starter.h"

#include "ns3/flow-path.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace ns3::rdma
{

namespace
{
/// @return the shortest delay of any link, at least 1 ps: a frame takes longer than that by its own
/// duration.
Tick
FindShortestDelay(const TopologyGraph& topology)
{
    Tick shortest = TICK_NEVER;
    for (const GraphLink& link : topology.links)
    {
        shortest = std::min(shortest, ToTick(link.delay));
    }
    return std::max<Tick>(shortest, 1);
}
} // namespace

GraphStarter::GraphStarter(GraphStarterConfig config)
    : m_config(std::move(config)),
      m_graph(*m_config.graph),
      m_engine(*m_config.fabric->GetCore().engine),
      m_target(m_engine.Register(this)),
      m_noticeDelay(FindShortestDelay(m_config.fabric->GetGraph())),
      m_longestFlight(m_config.fabric->GetMaxBaseRtt(m_config.ackFrameBytes, 0)),
      m_isReceived(m_graph.GetCount(), false),
      m_outbox(m_config.ranks)
{
    for (uint32_t operation = 0; operation < m_graph.GetCount(); ++operation)
    {
        m_missing.push_back(static_cast<uint32_t>(m_graph.Get(operation).after.size()));
    }
}

GraphStarter::~GraphStarter()
{
    m_engine.Unregister(m_target);
}

bool
GraphStarter::IsHere(uint32_t node) const
{
    return m_config.getRank(node) == m_config.ownRank;
}

void
GraphStarter::Start()
{
    for (uint32_t operation = 0; operation < m_graph.GetCount(); ++operation)
    {
        const FlowOperation& one = m_graph.Get(operation);
        if (one.after.empty() && IsHere(one.src))
        {
            Enter({m_config.start + one.delayPs, operation, BEGIN});
        }
    }
}

void
GraphStarter::OnReceived(uint64_t number)
{
    const auto operation = static_cast<uint32_t>(number);
    m_isReceived[operation] = true;
    const FlowOperation& ended = m_graph.Get(operation);
    for (const uint32_t dependent : m_graph.GetDependents(operation))
    {
        const uint32_t sender = m_graph.Get(dependent).src;
        if (sender == ended.dst)
        {
            CountPredecessor(dependent);
        }
        else if (sender != ended.src)
        {
            NotifyAfter(operation, dependent);
        }
    }
}

void
GraphStarter::OnSent(uint64_t number)
{
    const auto operation = static_cast<uint32_t>(number);
    const uint32_t node = m_graph.Get(operation).src;
    for (const uint32_t dependent : m_graph.GetDependents(operation))
    {
        if (m_graph.Get(dependent).src == node)
        {
            CountPredecessor(dependent);
        }
        else if (m_graph.IsRead(operation))
        {
            NotifyAfter(operation, dependent);
        }
    }
}

void
GraphStarter::CountPredecessor(uint32_t operation)
{
    if (--m_missing[operation] == 0)
    {
        Enter({m_engine.Now() + m_graph.Get(operation).delayPs, operation, BEGIN});
    }
}

void
GraphStarter::Begin(uint32_t operation)
{
    if (m_engine.Now() >= m_config.end)
    {
        return;
    }
    ++m_started;
    m_config.onStart(operation);
    Send(m_graph.Get(operation).dst, {m_engine.Now() + m_noticeDelay, operation, EXPECT});
}

void
GraphStarter::NotifyAfter(uint32_t operation, uint32_t dependent)
{
    const FlowOperation& ended = m_graph.Get(operation);
    const bool isRead = m_graph.IsRead(operation);
    const uint32_t to = m_graph.Get(dependent).src;
    const auto path =
        m_config.fabric->FindPath(isRead ? ended.src : ended.dst,
                                  to,
                                  FlowPath::MakeEntropy(m_config.pathBase + operation, isRead));
    Tick flight = 0;
    for (const FabricPort* port : path)
    {
        flight += port->GetDelay() + port->GetHeadTime(m_config.ackFrameBytes);
    }
    Send(to, {m_engine.Now() + (path.empty() ? m_longestFlight : flight), dependent, PREDECESSOR});
}

void
GraphStarter::Send(uint32_t node, const Notice& notice)
{
    if (IsHere(node))
    {
        Enter(notice);
        return;
    }
    m_outbox[m_config.getRank(node)].push_back(notice);
    m_earliestSent = std::min(m_earliestSent, notice.at);
}

bool
GraphStarter::IsLater(const Notice& left, const Notice& right)
{
    return std::tie(left.at, left.kind, left.operation) >
           std::tie(right.at, right.kind, right.operation);
}

void
GraphStarter::Enter(const Notice& notice)
{
    m_heap.push_back(notice);
    std::push_heap(m_heap.begin(), m_heap.end(), IsLater);
    m_engine.Schedule(notice.at, FabricEngine::MakeOwner(m_target, 0), 0);
}

void
GraphStarter::HandleEvent(uint32_t, uint32_t)
{
    while (!m_heap.empty() && m_heap.front().at <= m_engine.Now())
    {
        std::pop_heap(m_heap.begin(), m_heap.end(), IsLater);
        const Notice notice = m_heap.back();
        m_heap.pop_back();
        Handle(notice);
    }
}

void
GraphStarter::Handle(const Notice& notice)
{
    switch (notice.kind)
    {
    case EXPECT:
        m_config.onExpect(notice.operation);
        break;
    case PREDECESSOR:
        CountPredecessor(notice.operation);
        break;
    case BEGIN:
        Begin(notice.operation);
        break;
    }
}

void
GraphStarter::Pack(uint32_t rank, ByteBuffer& buffer)
{
    buffer.Put(m_outbox[rank]);
    m_outbox[rank].clear();
}

void
GraphStarter::Unpack(ByteReader& reader)
{
    for (const Notice& notice : reader.Get<std::vector<Notice>>())
    {
        Enter(notice);
    }
}

void
GraphStarter::ForgetSent()
{
    m_earliestSent = TICK_NEVER;
}

} // namespace ns3::rdma
