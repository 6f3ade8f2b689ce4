// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/token-graph.h"

#include "ns3/assert.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace ns3::rdma
{

TokenGraph::TokenGraph(uint32_t ranks,
                       uint32_t queuePairs,
                       std::vector<TokenMessage> messages,
                       std::vector<TokenDependency> dependencies)
    : m_ranks(ranks),
      m_messages(std::move(messages)),
      m_dependencies(std::move(dependencies)),
      m_predecessors(m_messages.size(), 0),
      m_first(ranks)
{
    std::sort(m_dependencies.begin(), m_dependencies.end(), [](const auto& a, const auto& b) {
        return std::tie(a.before, a.after) < std::tie(b.before, b.after);
    });
    for (const TokenDependency& one : m_dependencies)
    {
        ++m_predecessors[one.after];
        NS_ASSERT_MSG(m_messages[one.before].dst == m_messages[one.after].src,
                      "a message waits for a message to another rank");
    }
    using Ends = std::tuple<uint32_t, uint32_t, uint32_t>; // Lower rank, higher rank, queue pair.
    std::map<Ends, uint32_t> forward; // Index of the connection from the lower rank.
    for (const TokenMessage& one : m_messages)
    {
        forward.emplace(Ends{std::min(one.src, one.dst),
                             std::max(one.src, one.dst),
                             one.queuePair % queuePairs},
                        0);
    }
    for (auto& [ends, index] : forward)
    {
        const auto [low, high, queuePair] = ends;
        index = static_cast<uint32_t>(m_connections.size());
        m_connections.push_back({low, high, 0});
        m_connections.push_back({high, low, 0, index});
    }
    m_messagesOf.resize(m_connections.size());
    for (uint32_t id = 0; id < m_messages.size(); ++id)
    {
        const TokenMessage& one = m_messages[id];
        const uint32_t index = forward.at(
            {std::min(one.src, one.dst), std::max(one.src, one.dst), one.queuePair % queuePairs});
        const uint32_t connection = index + (one.src < one.dst ? 0 : 1);
        m_connectionOf.push_back(connection);
        m_places.push_back(static_cast<uint32_t>(m_connections[connection].messages++));
        m_messagesOf[connection].push_back(id);
        if (m_predecessors[id] == 0)
        {
            m_first[one.src].push_back(id);
        }
    }
}

uint32_t
TokenGraph::GetRanks() const
{
    return m_ranks;
}

uint64_t
TokenGraph::GetCount() const
{
    return m_messages.size();
}

RankMessage
TokenGraph::Get(uint64_t id) const
{
    const TokenMessage& one = m_messages[id];
    return {one.src, one.dst, one.bytes, m_connectionOf[id], m_predecessors[id]};
}

void
TokenGraph::ForEachFirst(uint32_t rank, const Visitor& visit) const
{
    for (const uint32_t id : m_first[rank])
    {
        visit(id);
    }
}

void
TokenGraph::ForEachDependent(uint64_t id, const Visitor& visit) const
{
    auto one = std::lower_bound(m_dependencies.begin(),
                                m_dependencies.end(),
                                id,
                                [](const auto& a, uint64_t before) { return a.before < before; });
    for (; one != m_dependencies.end() && one->before == id; ++one)
    {
        visit(one->after);
    }
}

std::vector<RankConnection>
TokenGraph::MakeConnections() const
{
    return m_connections;
}

uint64_t
TokenGraph::GetPlace(uint64_t id) const
{
    return m_places[id];
}

uint64_t
TokenGraph::Find(uint32_t connection, uint64_t place) const
{
    return m_messagesOf[connection][place];
}

std::vector<TokenGraph::Cost>
TokenGraph::FindCosts(const PathTimes& times) const
{
    std::vector<Cost> costs(m_messages.size());
    for (uint32_t connection = 0; connection < m_connections.size(); ++connection)
    {
        const uint32_t src = m_connections[connection].src;
        const uint32_t dst = m_connections[connection].dst;
        Cost cost{};
        uint64_t known = UINT64_MAX; // Most messages of a connection have one size.
        for (const uint32_t id : m_messagesOf[connection])
        {
            const uint64_t bytes = m_messages[id].bytes;
            if (bytes != known)
            {
                known = bytes;
                cost.duration = times.GetDuration(src, dst, bytes);
                cost.latency = times.GetArrival(src, dst, bytes) - cost.duration;
            }
            costs[id] = cost;
        }
    }
    for (std::size_t first = 0; first < m_dependencies.size();)
    {
        Cost& before = costs[m_dependencies[first].before];
        Tick latency = TICK_NEVER; // The shortest of the waiting ones.
        std::size_t next = first;
        for (; next < m_dependencies.size() &&
               m_dependencies[next].before == m_dependencies[first].before;
             ++next)
        {
            Cost& after = costs[m_dependencies[next].after];
            after.earliest = std::max(after.earliest, before.duration + before.latency);
            before.following += after.duration;
            latency = std::min(latency, after.latency);
        }
        before.following += latency;
        first = next;
    }
    return costs;
}

Tick
TokenGraph::FindBound(const PathTimes& times) const
{
    struct Load
    {
        Tick busy{0};
        Tick begin{TICK_NEVER}; ///< Of its first message, at the earliest.
        Tick rest{TICK_NEVER};  ///< After the last one, at least.
    };

    std::vector<Load> senders(m_ranks);
    std::vector<Load> receivers(m_ranks);
    std::vector<Load> local(m_ranks); // Senders inside servers.
    const std::vector<Cost> costs = FindCosts(times);
    for (uint32_t connection = 0; connection < m_connections.size(); ++connection)
    {
        const uint32_t src = m_connections[connection].src;
        const uint32_t dst = m_connections[connection].dst;
        const bool isLocal = times.IsLocal(src, dst);
        for (const uint32_t id : m_messagesOf[connection])
        {
            const Cost& cost = costs[id];
            const auto add = [&cost](Load& load) {
                load.busy += cost.duration;
                load.begin = std::min(load.begin, cost.earliest);
                load.rest = std::min(load.rest, cost.latency + cost.following);
            };
            add(isLocal ? local[src] : senders[src]);
            if (!isLocal)
            {
                add(receivers[dst]);
            }
        }
    }
    Tick longest = 0;
    for (const std::vector<Load>* loads : {&senders, &receivers, &local})
    {
        for (const Load& load : *loads)
        {
            longest = std::max(longest, load.busy == 0 ? 0 : load.begin + load.busy + load.rest);
        }
    }
    return longest;
}

} // namespace ns3::rdma
