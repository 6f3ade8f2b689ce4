// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/ring-graph.h"

#include <algorithm>
#include <numeric>

namespace ns3::rdma
{

RingGraph::RingGraph(const RingSize& size, uint32_t steps, uint32_t parts)
    : m_size(size),
      m_steps(steps),
      m_parts(parts)
{
}

uint32_t
RingGraph::GetRanks() const
{
    return m_size.ranks;
}

uint64_t
RingGraph::GetCount() const
{
    return uint64_t{m_steps} * m_size.ranks * m_size.channels * m_size.slices;
}

uint32_t
RingGraph::GetNext(uint32_t rank) const
{
    return rank + 1 == m_size.ranks ? 0 : rank + 1;
}

RingGraph::Place
RingGraph::FindPlace(uint64_t id) const
{
    Place place;
    place.slice = static_cast<uint32_t>(id % m_size.slices);
    id /= m_size.slices;
    place.channel = static_cast<uint32_t>(id % m_size.channels);
    id /= m_size.channels;
    place.rank = static_cast<uint32_t>(id % m_size.ranks);
    place.step = static_cast<uint32_t>(id / m_size.ranks);
    return place;
}

uint64_t
RingGraph::GetNumber(const Place& place) const
{
    const uint64_t rank = uint64_t{place.step} * m_size.ranks + place.rank;
    return (rank * m_size.channels + place.channel) * m_size.slices + place.slice;
}

uint64_t
RingGraph::GetBytes(const Place& place) const
{
    const uint64_t channel = GetPartBytes(m_size.bytes, m_size.channels, place.channel);
    // In step k rank i sends part i - k, which it has received in step k - 1.
    const uint32_t part = (place.rank + m_parts - place.step % m_parts) % m_parts;
    return GetPartBytes(GetPartBytes(channel, m_parts, part), m_size.slices, place.slice);
}

RankMessage
RingGraph::Get(uint64_t id) const
{
    const Place place = FindPlace(id);
    return {place.rank,
            GetNext(place.rank),
            GetBytes(place),
            place.rank * m_size.channels + place.channel,
            place.step > 0 ? 1U : 0U};
}

void
RingGraph::ForEachFirst(uint32_t rank, const Visitor& visit) const
{
    for (uint32_t slice = 0; slice < m_size.slices; ++slice)
    {
        for (uint32_t channel = 0; channel < m_size.channels; ++channel)
        {
            visit(GetNumber({0, rank, channel, slice}));
        }
    }
}

void
RingGraph::ForEachDependent(uint64_t id, const Visitor& visit) const
{
    Place place = FindPlace(id);
    if (++place.step < m_steps)
    {
        place.rank = GetNext(place.rank);
        visit(GetNumber(place));
    }
}

std::vector<RankConnection>
RingGraph::MakeConnections() const
{
    std::vector<RankConnection> connections;
    for (uint32_t rank = 0; rank < m_size.ranks; ++rank)
    {
        for (uint32_t channel = 0; channel < m_size.channels; ++channel)
        {
            connections.push_back({rank, GetNext(rank), uint64_t{m_steps} * m_size.slices});
        }
    }
    return connections;
}

uint64_t
RingGraph::GetPlace(uint64_t id) const
{
    const Place place = FindPlace(id);
    return uint64_t{place.step} * m_size.slices + place.slice;
}

uint64_t
RingGraph::Find(uint32_t connection, uint64_t place) const
{
    return GetNumber({static_cast<uint32_t>(place / m_size.slices),
                      connection / m_size.channels,
                      connection % m_size.channels,
                      static_cast<uint32_t>(place % m_size.slices)});
}

Tick
RingGraph::FindBound(const PathTimes& times) const
{
    const uint64_t bytes = m_size.bytes / m_size.channels / m_parts / m_size.slices;
    std::vector<Tick> arrivals; ///< Of one message, by sender.
    std::vector<Tick> durations;
    for (uint32_t rank = 0; rank < m_size.ranks; ++rank)
    {
        arrivals.push_back(times.GetArrival(rank, GetNext(rank), bytes));
        durations.push_back(times.GetDuration(rank, GetNext(rank), bytes));
    }
    // A slice passes as many connections in a row as there are steps, from any of the ranks on.
    const auto sum = [this](const std::vector<Tick>& values, uint32_t first) {
        const Tick all = std::accumulate(values.begin(), values.end(), Tick{0});
        Tick sum = m_steps / m_size.ranks * all;
        for (uint32_t step = 0; step < m_steps % m_size.ranks; ++step)
        {
            sum += values[(first + step) % m_size.ranks];
        }
        return sum;
    };
    const Tick others = m_size.slices - 1; // They follow at the rate of a link.
    Tick longest = 0;
    for (uint32_t first = 0; first < m_size.ranks; ++first)
    {
        const Tick chain = sum(arrivals, first);
        const Tick busy = sum(durations, first);
        const Tick latency = (chain - busy) / m_steps;
        longest =
            std::max({longest, chain + others * busy / m_steps, latency + busy * (others + 1)});
    }
    return longest;
}

} // namespace ns3::rdma
