// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/token-graph.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace ns3::rdma
{

TokenGraph::TokenGraph(uint32_t ranks, uint32_t queuePairs, std::vector<TokenMessage> messages)
    : m_ranks(ranks),
      m_messages(std::move(messages)),
      m_first(ranks)
{
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
        m_first[one.src].push_back(id);
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
    return {one.src, one.dst, one.bytes, m_connectionOf[id], 0};
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
TokenGraph::ForEachDependent(uint64_t, const Visitor&) const
{
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

Tick
TokenGraph::FindBound(const PathTimes& times) const
{
    struct Load
    {
        Tick busy{0};
        Tick latency{TICK_NEVER}; ///< The shortest one.
    };

    std::vector<Load> senders(m_ranks);
    std::vector<Load> receivers(m_ranks);
    for (uint32_t connection = 0; connection < m_connections.size(); ++connection)
    {
        const auto [src, dst, count, reverseOf] = m_connections[connection];
        Tick duration = 0;
        Tick latency = 0;
        uint64_t known = UINT64_MAX; // Most messages of a connection have one size.
        for (const uint32_t id : m_messagesOf[connection])
        {
            const uint64_t bytes = m_messages[id].bytes;
            if (bytes != known)
            {
                known = bytes;
                duration = times.GetDuration(src, dst, bytes);
                latency = times.GetArrival(src, dst, bytes) - duration;
            }
            for (Load* load : {&senders[src], &receivers[dst]})
            {
                load->busy += duration;
                load->latency = std::min(load->latency, latency);
            }
        }
    }
    Tick longest = 0;
    for (const std::vector<Load>* loads : {&senders, &receivers})
    {
        for (const Load& load : *loads)
        {
            longest = std::max(longest, load.busy == 0 ? 0 : load.busy + load.latency);
        }
    }
    return longest;
}

} // namespace ns3::rdma
