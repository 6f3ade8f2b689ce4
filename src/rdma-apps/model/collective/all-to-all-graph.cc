// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/all-to-all-graph.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ns3::rdma
{

namespace
{
std::vector<uint32_t>
MakeDistances(uint32_t ranks, AllToAllOrder order)
{
    std::vector<uint32_t> distances;
    if (order != AllToAllOrder::NCCL)
    {
        for (uint32_t distance = 1; distance < ranks; ++distance)
        {
            distances.push_back(distance);
        }
        return distances;
    }
    uint32_t power = 1;
    while (power < ranks)
    {
        power *= 2;
    }
    // Modulo a power of two, the triangular numbers of 0 to power - 1 are a permutation.
    uint32_t distance = 0;
    for (uint32_t step = 1; step < power; ++step)
    {
        distance = (distance + step) % power;
        if (distance < ranks)
        {
            distances.push_back(distance);
        }
    }
    return distances;
}
} // namespace

AllToAllGraph::AllToAllGraph(uint32_t ranks, uint64_t bytes, const AllToAllRules& rules)
    : m_ranks(ranks),
      m_bytes(bytes),
      m_rules(rules),
      m_distances(MakeDistances(ranks, rules.order))
{
}

AllToAllGraph::AllToAllGraph(uint32_t ranks, Sizes sizes, const AllToAllRules& rules)
    : m_ranks(ranks),
      m_sizes(std::move(sizes)),
      m_rules(rules),
      m_distances(MakeDistances(ranks, rules.order))
{
}

AllToAllGraph::Sizes
AllToAllGraph::MakeSkewed(uint32_t ranks, uint64_t bytes, double exponent)
{
    double sum = 0;
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        sum += std::pow(rank + 1, -exponent);
    }
    Sizes sizes;
    for (uint32_t src = 0; src < ranks; ++src)
    {
        double before = 0;
        uint64_t begin = 0;
        for (uint32_t dst = 0; dst < ranks; ++dst)
        {
            before += std::pow(dst + 1, -exponent);
            const bool isLast = dst + 1 == ranks;
            const uint64_t end = isLast ? bytes : std::llround(before / sum * bytes);
            sizes.push_back(end - begin);
            begin = end;
        }
    }
    return sizes;
}

uint32_t
AllToAllGraph::GetRanks() const
{
    return m_ranks;
}

uint64_t
AllToAllGraph::GetCount() const
{
    return uint64_t{m_ranks} * (m_ranks - 1);
}

uint32_t
AllToAllGraph::GetReceiver(uint32_t rank, uint32_t round) const
{
    const uint32_t distance = m_distances[round];
    return m_rules.order == AllToAllOrder::PAIRWISE ? rank ^ distance : (rank + distance) % m_ranks;
}

uint32_t
AllToAllGraph::GetSender(uint32_t rank, uint32_t round) const
{
    const uint32_t distance = m_distances[round];
    return m_rules.order == AllToAllOrder::PAIRWISE ? rank ^ distance
                                                    : (rank + m_ranks - distance) % m_ranks;
}

uint64_t
AllToAllGraph::GetBytes(uint32_t src, uint32_t dst) const
{
    return m_sizes.empty() ? GetPartBytes(m_bytes, m_ranks, dst)
                           : m_sizes[uint64_t{src} * m_ranks + dst];
}

RankMessage
AllToAllGraph::Get(uint64_t id) const
{
    const auto rank = static_cast<uint32_t>(id % m_ranks);
    const auto round = static_cast<uint32_t>(id / m_ranks);
    const uint32_t receiver = GetReceiver(rank, round);
    return {rank,
            receiver,
            GetBytes(rank, receiver),
            rank * (m_ranks - 1) + round,
            round >= m_rules.window ? 1U : 0U};
}

void
AllToAllGraph::ForEachFirst(uint32_t rank, const Visitor& visit) const
{
    const uint32_t rounds = std::min(m_rules.window, m_ranks - 1);
    for (uint32_t round = 0; round < rounds; ++round)
    {
        visit(uint64_t{round} * m_ranks + rank);
    }
}

void
AllToAllGraph::ForEachDependent(uint64_t id, const Visitor& visit) const
{
    const auto rank = static_cast<uint32_t>(id % m_ranks);
    const auto round = static_cast<uint32_t>(id / m_ranks);
    const uint64_t next = uint64_t{round} + m_rules.window;
    if (next < m_ranks - 1)
    {
        visit(next * m_ranks + (m_rules.waitsForCompletion ? rank : GetReceiver(rank, round)));
    }
}

bool
AllToAllGraph::HasSenderDependencies() const
{
    return m_rules.waitsForCompletion && m_rules.window < m_ranks - 1;
}

std::vector<RankConnection>
AllToAllGraph::MakeConnections() const
{
    std::vector<RankConnection> connections;
    connections.reserve(GetCount());
    for (uint32_t rank = 0; rank < m_ranks; ++rank)
    {
        for (uint32_t round = 0; round + 1 < m_ranks; ++round)
        {
            connections.push_back({rank, GetReceiver(rank, round), 1});
        }
    }
    return connections;
}

uint64_t
AllToAllGraph::GetPlace(uint64_t) const
{
    return 0;
}

uint64_t
AllToAllGraph::Find(uint32_t connection, uint64_t) const
{
    const uint32_t rounds = m_ranks - 1;
    return uint64_t{connection % rounds} * m_ranks + connection / rounds;
}

Tick
AllToAllGraph::FindLinkBound(const PathTimes& times) const
{
    const uint32_t last = m_ranks - 2;
    Tick longest = 0;
    for (uint32_t rank = 0; rank < m_ranks; ++rank)
    {
        Tick sent = 0;
        Tick received = 0;
        for (uint32_t round = 0; round <= last; ++round)
        {
            const uint32_t to = GetReceiver(rank, round);
            const uint32_t from = GetSender(rank, round);
            sent += times.GetDuration(rank, to, GetBytes(rank, to));
            received += times.GetDuration(from, rank, GetBytes(from, rank));
        }
        const auto getLatency = [this, &times](uint32_t src, uint32_t dst) {
            const uint64_t bytes = GetBytes(src, dst);
            return times.GetArrival(src, dst, bytes) - times.GetDuration(src, dst, bytes);
        };
        longest = std::max({longest,
                            sent + getLatency(rank, GetReceiver(rank, last)),
                            received + getLatency(GetSender(rank, last), rank)});
    }
    return longest;
}

Tick
AllToAllGraph::FindChainBound(const PathTimes& times) const
{
    std::vector<Tick> arrivals(GetCount(), 0); ///< By message.
    Tick longest = 0;
    for (uint64_t id = 0; id < arrivals.size(); ++id)
    {
        const RankMessage message = Get(id);
        Tick posted = 0;
        if (message.predecessors > 0)
        {
            const auto round = static_cast<uint32_t>(id / m_ranks) - m_rules.window;
            const uint32_t sender =
                m_rules.waitsForCompletion ? message.src : GetSender(message.src, round);
            posted = arrivals[uint64_t{round} * m_ranks + sender];
        }
        arrivals[id] = posted + times.GetArrival(message.src, message.dst, message.bytes);
        longest = std::max(longest, arrivals[id]);
    }
    return longest;
}

Tick
AllToAllGraph::FindBound(const PathTimes& times) const
{
    const bool hasChains = m_rules.window < m_ranks - 1;
    return std::max(FindLinkBound(times), hasChains ? FindChainBound(times) : 0);
}

} // namespace ns3::rdma
