// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/hop-counts.h"

#include <deque>
#include <limits>

namespace ns3::rdma
{

namespace
{
constexpr uint16_t UNREACHED{std::numeric_limits<uint16_t>::max()};
} // namespace

HopCounts::HopCounts(const TopologyGraph& graph)
    : m_graph(graph),
      m_neighbors(graph.GetIdCount())
{
    for (const GraphLink& link : graph.links)
    {
        m_neighbors[link.a].push_back(link.b);
        m_neighbors[link.b].push_back(link.a);
    }
}

uint32_t
HopCounts::GetAnchor(uint32_t server) const
{
    const auto& neighbors = m_neighbors[server];
    return neighbors.size() == 1 && m_graph.IsSwitch(neighbors.front()) ? neighbors.front()
                                                                        : server;
}

const std::vector<uint16_t>&
HopCounts::GetDistances(uint32_t anchor)
{
    const auto [place, isNew] = m_distances.try_emplace(anchor);
    if (!isNew)
    {
        return place->second;
    }
    std::vector<uint16_t>& distances = place->second;
    distances.assign(m_neighbors.size(), UNREACHED);
    distances[anchor] = 0;
    std::deque<uint32_t> queue{anchor};
    while (!queue.empty())
    {
        const uint32_t id = queue.front();
        queue.pop_front();
        if (id != anchor && !m_graph.IsSwitch(id))
        {
            continue; // Servers forward nothing.
        }
        for (const uint32_t next : m_neighbors[id])
        {
            if (distances[next] == UNREACHED)
            {
                distances[next] = static_cast<uint16_t>(distances[id] + 1);
                queue.push_back(next);
            }
        }
    }
    return distances;
}

uint32_t
HopCounts::Get(uint32_t src, uint32_t dst)
{
    const uint32_t anchor = GetAnchor(src);
    const uint16_t distance = GetDistances(anchor)[dst];
    return distance == UNREACHED ? 0 : distance + (anchor == src ? 0U : 1U);
}

} // namespace ns3::rdma
