// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/barrier-graph.h"

#include <algorithm>

namespace ns3::rdma
{

BarrierGraph::BarrierGraph(uint32_t ranks)
    : m_ranks(ranks),
      m_rounds(0)
{
    while (uint64_t{1} << m_rounds < m_ranks)
    {
        ++m_rounds;
    }
}

uint32_t
BarrierGraph::GetRanks() const
{
    return m_ranks;
}

uint64_t
BarrierGraph::GetCount() const
{
    return uint64_t{m_rounds} * m_ranks;
}

uint32_t
BarrierGraph::GetReceiver(uint32_t round, uint32_t rank) const
{
    return static_cast<uint32_t>((rank + (uint64_t{1} << round)) % m_ranks);
}

RankMessage
BarrierGraph::Get(uint64_t id) const
{
    const auto round = static_cast<uint32_t>(id / m_ranks);
    const auto rank = static_cast<uint32_t>(id % m_ranks);
    return {rank,
            GetReceiver(round, rank),
            0,
            static_cast<uint32_t>(id), // A message of its own on each connection.
            round};
}

void
BarrierGraph::ForEachFirst(uint32_t rank, const Visitor& visit) const
{
    visit(rank);
}

void
BarrierGraph::ForEachDependent(uint64_t id, const Visitor& visit) const
{
    const auto round = static_cast<uint32_t>(id / m_ranks);
    const uint32_t receiver = GetReceiver(round, static_cast<uint32_t>(id % m_ranks));
    for (uint32_t later = round + 1; later < m_rounds; ++later)
    {
        visit(uint64_t{later} * m_ranks + receiver);
    }
}

std::vector<RankConnection>
BarrierGraph::MakeConnections() const
{
    std::vector<RankConnection> connections;
    for (uint64_t id = 0; id < GetCount(); ++id)
    {
        const RankMessage message = Get(id);
        connections.push_back({message.src, message.dst, 1});
    }
    return connections;
}

uint64_t
BarrierGraph::GetPlace(uint64_t) const
{
    return 0;
}

uint64_t
BarrierGraph::Find(uint32_t connection, uint64_t) const
{
    return connection;
}

Tick
BarrierGraph::FindBound(const PathTimes& times) const
{
    std::vector<Tick> ready(m_ranks, 0); // When a rank has the notifications of the rounds so far.
    for (uint32_t round = 0; round < m_rounds; ++round)
    {
        std::vector<Tick> next = ready;
        for (uint32_t rank = 0; rank < m_ranks; ++rank)
        {
            const uint32_t receiver = GetReceiver(round, rank);
            next[receiver] =
                std::max(next[receiver], ready[rank] + times.GetArrival(rank, receiver, 0));
        }
        ready = std::move(next);
    }
    return *std::max_element(ready.begin(), ready.end());
}

} // namespace ns3::rdma
