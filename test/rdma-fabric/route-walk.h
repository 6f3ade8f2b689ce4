// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_ROUTE_WALK_H
#define RDMA_ROUTE_WALK_H

#include "ns3/route-computation.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace ns3::rdma
{

/// Walks the next hops of a graph, from switch to switch.
class RouteWalk
{
  public:
    RouteWalk(const TopologyGraph& graph, const Routes& routes)
        : m_routes(routes),
          m_neighbors(routes.tables.size())
    {
        std::vector<uint32_t> numbers;
        uint32_t switches = 0;
        for (uint32_t id = 0; id < graph.GetIdCount(); ++id)
        {
            numbers.push_back(graph.IsSwitch(id) ? switches++ : SERVER);
        }
        for (const GraphLink& link : graph.links)
        {
            for (const auto& [here, there] : {std::pair(link.a, link.b), {link.b, link.a}})
            {
                if (graph.IsSwitch(here))
                {
                    m_neighbors[numbers[here]].push_back(numbers[there]);
                }
            }
        }
    }

    /// @return how many ways lead from switch to switch; 0 as well if one leads astray.
    uint32_t CountWays(uint32_t from, uint32_t to, uint32_t hopsLeft = 6) const
    {
        if (from == to)
        {
            return 1;
        }
        const PortGroup group = m_routes.tables[from].Find(to);
        uint32_t ways = 0;
        for (uint32_t i = 0; i < group.count; ++i)
        {
            const uint32_t next = m_neighbors[from][m_routes.tables[from].ports[group.first + i]];
            const uint32_t onward =
                next == SERVER || hopsLeft == 0 ? 0 : CountWays(next, to, hopsLeft - 1);
            if (onward == 0)
            {
                return 0;
            }
            ways += onward;
        }
        return ways;
    }

    /// @return switches behind the first one, by the first port of each group.
    uint32_t GetHops(uint32_t from, uint32_t to) const
    {
        uint32_t hops = 0;
        for (uint32_t here = from; here != to; ++hops)
        {
            const RouteTable& table = m_routes.tables[here];
            here = m_neighbors[here][table.ports[table.Find(to).first]];
        }
        return hops;
    }

    /// @return the most hops between switches with servers.
    uint32_t GetDiameter() const
    {
        uint32_t most = 0;
        for (const Attachment& from : m_routes.attachments)
        {
            for (const Attachment& to : m_routes.attachments)
            {
                const bool areServers = from.switchNumber != Attachment::ABSENT &&
                                        to.switchNumber != Attachment::ABSENT;
                most =
                    areServers ? std::max(most, GetHops(from.switchNumber, to.switchNumber)) : most;
            }
        }
        return most;
    }

  private:
    static constexpr uint32_t SERVER{0xffffffff};

    const Routes& m_routes;
    std::vector<std::vector<uint32_t>> m_neighbors; ///< By switch number, by port.
};

/// Sums of the rates of a switch's links.
struct SwitchCapacity
{
    uint64_t downBps{0}; ///< To endpoints and nodes with lower ids: the tier below.
    uint64_t upBps{0};   ///< To switches with higher ids: the tier above.
    uint32_t ports{0};

    double GetOversubscription() const
    {
        return static_cast<double>(downBps) / static_cast<double>(upBps);
    }
};

/// @return by id.
inline std::vector<SwitchCapacity>
SumCapacities(const TopologyGraph& graph)
{
    std::vector<SwitchCapacity> sums(graph.GetIdCount());
    for (const GraphLink& link : graph.links)
    {
        const bool isFirstLower = !graph.IsSwitch(link.a) || link.a < link.b;
        const uint32_t low = isFirstLower ? link.a : link.b;
        const uint32_t high = isFirstLower ? link.b : link.a;
        sums[low].upBps += link.rate.GetBitRate();
        sums[high].downBps += link.rate.GetBitRate();
        ++sums[low].ports;
        ++sums[high].ports;
    }
    return sums;
}

} // namespace ns3::rdma

#endif // RDMA_ROUTE_WALK_H
