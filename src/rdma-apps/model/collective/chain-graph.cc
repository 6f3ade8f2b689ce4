// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/chain-graph.h"

namespace ns3::rdma
{

ChainGraph::ChainGraph(uint32_t ranks,
                       uint64_t bytes,
                       uint32_t slices,
                       uint32_t root,
                       bool isReduce)
    : m_ranks(ranks),
      m_bytes(bytes),
      m_slices(slices),
      m_first(isReduce ? (root + 1) % ranks : root)
{
}

uint32_t
ChainGraph::GetRanks() const
{
    return m_ranks;
}

uint64_t
ChainGraph::GetCount() const
{
    return uint64_t{m_ranks - 1} * m_slices;
}

uint32_t
ChainGraph::GetSender(uint32_t hop) const
{
    return (m_first + hop) % m_ranks;
}

RankMessage
ChainGraph::Get(uint64_t id) const
{
    const auto hop = static_cast<uint32_t>(id / m_slices);
    return {GetSender(hop),
            GetSender(hop + 1),
            GetPartBytes(m_bytes, m_slices, id % m_slices),
            hop,
            hop > 0 ? 1U : 0U};
}

void
ChainGraph::ForEachFirst(uint32_t rank, const Visitor& visit) const
{
    for (uint32_t slice = 0; rank == m_first && slice < m_slices; ++slice)
    {
        visit(slice);
    }
}

void
ChainGraph::ForEachDependent(uint64_t id, const Visitor& visit) const
{
    if (id + m_slices < GetCount())
    {
        visit(id + m_slices);
    }
}

std::vector<RankConnection>
ChainGraph::MakeConnections() const
{
    std::vector<RankConnection> connections;
    for (uint32_t hop = 0; hop + 1 < m_ranks; ++hop)
    {
        connections.push_back({GetSender(hop), GetSender(hop + 1), m_slices});
    }
    return connections;
}

uint64_t
ChainGraph::GetPlace(uint64_t id) const
{
    return id % m_slices;
}

uint64_t
ChainGraph::Find(uint32_t connection, uint64_t place) const
{
    return uint64_t{connection} * m_slices + place;
}

Tick
ChainGraph::FindBound(const PathTimes& times) const
{
    Tick chain = 0;
    const uint64_t bytes = GetPartBytes(m_bytes, m_slices, 0);
    for (uint32_t hop = 0; hop + 1 < m_ranks; ++hop)
    {
        chain += times.GetArrival(GetSender(hop), GetSender(hop + 1), bytes);
    }
    return chain + (m_slices - 1) * times.GetDuration(m_first, GetSender(1), bytes);
}

} // namespace ns3::rdma
