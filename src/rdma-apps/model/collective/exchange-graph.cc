// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/exchange-graph.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

namespace
{
/// @return the number of the only bit that is set.
uint32_t
GetBit(uint32_t power)
{
    uint32_t bit = 0;
    while (power >> bit > 1)
    {
        ++bit;
    }
    return bit;
}
} // namespace

ExchangeGraph::ExchangeGraph(uint32_t ranks, uint64_t bytes, uint32_t cuts, std::vector<Step> steps)
    : m_ranks(ranks),
      m_bytes(bytes),
      m_cuts(cuts),
      m_bits(GetBit(ranks)),
      m_steps(std::move(steps))
{
}

std::vector<ExchangeGraph::Step>
ExchangeGraph::MakeHalving(uint32_t ranks)
{
    std::vector<Step> steps;
    for (uint32_t distance = ranks / 2; distance > 0; distance /= 2)
    {
        steps.push_back({distance, distance, true});
    }
    return steps;
}

std::vector<ExchangeGraph::Step>
ExchangeGraph::MakeDoubling(uint32_t ranks)
{
    std::vector<Step> steps;
    for (uint32_t distance = 1; distance < ranks; distance *= 2)
    {
        steps.push_back({distance, distance, false});
    }
    return steps;
}

std::vector<ExchangeGraph::Step>
ExchangeGraph::MakeWhole(uint32_t ranks)
{
    std::vector<Step> steps = MakeDoubling(ranks);
    for (Step& step : steps)
    {
        step.parts = 1;
    }
    return steps;
}

uint32_t
ExchangeGraph::GetRanks() const
{
    return m_ranks;
}

uint64_t
ExchangeGraph::GetCount() const
{
    return uint64_t{m_ranks} * m_steps.size();
}

uint64_t
ExchangeGraph::GetBytes(const Step& step, uint32_t rank) const
{
    if (m_cuts == 1)
    {
        return m_bytes;
    }
    const uint32_t owner = step.sendsPeersEnd ? rank ^ step.distance : rank;
    return GetPartBytes(m_bytes, m_cuts, owner & ~(step.distance - 1), step.parts);
}

RankMessage
ExchangeGraph::Get(uint64_t id) const
{
    const auto rank = static_cast<uint32_t>(id % m_ranks);
    const Step& step = m_steps[id / m_ranks];
    return {rank,
            rank ^ step.distance,
            GetBytes(step, rank),
            rank * m_bits + GetBit(step.distance),
            id >= m_ranks ? 1U : 0U};
}

void
ExchangeGraph::ForEachFirst(uint32_t rank, const Visitor& visit) const
{
    visit(rank);
}

void
ExchangeGraph::ForEachDependent(uint64_t id, const Visitor& visit) const
{
    const uint64_t step = id / m_ranks;
    if (step + 1 < m_steps.size())
    {
        const auto receiver = static_cast<uint32_t>(id % m_ranks) ^ m_steps[step].distance;
        visit((step + 1) * m_ranks + receiver);
    }
}

std::vector<RankConnection>
ExchangeGraph::MakeConnections() const
{
    std::vector<uint64_t> uses(m_bits, 0);
    for (const Step& step : m_steps)
    {
        ++uses[GetBit(step.distance)];
    }
    std::vector<RankConnection> connections;
    for (uint32_t rank = 0; rank < m_ranks; ++rank)
    {
        for (uint32_t bit = 0; bit < m_bits; ++bit)
        {
            connections.push_back({rank, rank ^ (1U << bit), uses[bit]});
        }
    }
    return connections;
}

uint64_t
ExchangeGraph::GetPlace(uint64_t id) const
{
    const auto step = m_steps.begin() + static_cast<std::ptrdiff_t>(id / m_ranks);
    return std::count_if(m_steps.begin(), step, [step](const Step& other) {
        return other.distance == step->distance;
    });
}

uint64_t
ExchangeGraph::Find(uint32_t connection, uint64_t place) const
{
    const uint32_t distance = 1U << connection % m_bits;
    uint64_t number = 0;
    for (;; ++number)
    {
        if (m_steps[number].distance == distance && place-- == 0)
        {
            return number * m_ranks + connection / m_bits;
        }
    }
}

Tick
ExchangeGraph::FindBound(const PathTimes& times) const
{
    std::vector<Tick> arrivals(m_ranks, 0); ///< Of the last step, by receiver.
    for (const Step& step : m_steps)
    {
        std::vector<Tick> next(m_ranks, 0);
        for (uint32_t rank = 0; rank < m_ranks; ++rank)
        {
            const uint32_t peer = rank ^ step.distance;
            next[peer] = arrivals[rank] + times.GetArrival(rank, peer, GetBytes(step, rank));
        }
        arrivals = std::move(next);
    }
    return *std::max_element(arrivals.begin(), arrivals.end());
}

} // namespace ns3::rdma
