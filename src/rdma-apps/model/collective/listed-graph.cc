// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/listed-graph.h"

#include <algorithm>
#include <map>
#include <utility>

namespace ns3::rdma
{

ListedGraph::ListedGraph(uint32_t ranks, std::vector<ListedMessage> messages)
    : m_ranks(ranks),
      m_messages(std::move(messages)),
      m_dependents(m_messages.size()),
      m_first(ranks)
{
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> known;
    for (uint32_t number = 0; number < m_messages.size(); ++number)
    {
        const ListedMessage& one = m_messages[number];
        for (const uint32_t predecessor : one.after)
        {
            m_dependents[predecessor].push_back(number);
            m_hasSenderDependencies |= m_messages[predecessor].src == one.src;
        }
        if (one.after.empty())
        {
            m_first[one.src].push_back(number);
        }
        const auto next = static_cast<uint32_t>(m_connections.size());
        const auto [place, isNew] = known.try_emplace({one.src, one.dst}, next);
        if (isNew)
        {
            m_connections.push_back({one.src, one.dst, 0});
            m_messagesOf.emplace_back();
        }
        m_connectionOf.push_back(place->second);
        m_places.push_back(m_connections[place->second].messages++);
        m_messagesOf[place->second].push_back(number);
    }
}

uint32_t
ListedGraph::GetRanks() const
{
    return m_ranks;
}

uint64_t
ListedGraph::GetCount() const
{
    return m_messages.size();
}

RankMessage
ListedGraph::Get(uint64_t id) const
{
    const ListedMessage& one = m_messages[id];
    return {one.src,
            one.dst,
            one.bytes,
            m_connectionOf[id],
            static_cast<uint32_t>(one.after.size())};
}

void
ListedGraph::ForEachFirst(uint32_t rank, const Visitor& visit) const
{
    for (const uint32_t number : m_first[rank])
    {
        visit(number);
    }
}

void
ListedGraph::ForEachDependent(uint64_t id, const Visitor& visit) const
{
    for (const uint32_t number : m_dependents[id])
    {
        visit(number);
    }
}

bool
ListedGraph::HasSenderDependencies() const
{
    return m_hasSenderDependencies;
}

std::vector<RankConnection>
ListedGraph::MakeConnections() const
{
    return m_connections;
}

uint64_t
ListedGraph::GetPlace(uint64_t id) const
{
    return m_places[id];
}

uint64_t
ListedGraph::Find(uint32_t connection, uint64_t place) const
{
    return m_messagesOf[connection][place];
}

Tick
ListedGraph::FindBound(const PathTimes& times) const
{
    std::vector<Tick> arrivals;
    for (const ListedMessage& one : m_messages)
    {
        Tick posted = 0;
        for (const uint32_t predecessor : one.after)
        {
            posted = std::max(posted, arrivals[predecessor]);
        }
        arrivals.push_back(posted + times.GetArrival(one.src, one.dst, one.bytes));
    }
    return *std::max_element(arrivals.begin(), arrivals.end());
}

} // namespace ns3::rdma
