// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_HOP_COUNTS_H
#define RDMA_HOP_COUNTS_H

#include "ns3/topology-graph.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-scenario
 * @brief Links on the shortest path between two servers, all links being up.
 *
 * Computed on demand, once per switch that has servers: a large fabric with few senders stays
 * cheap.
 */
class HopCounts
{
  public:
    explicit HopCounts(const TopologyGraph& graph);

    /// @return 0 if there is no path. @param src, dst node ids of two servers
    uint32_t Get(uint32_t src, uint32_t dst);

  private:
    /// @return where paths of a server begin: its only neighbor, else the server itself.
    uint32_t GetAnchor(uint32_t server) const;
    const std::vector<uint16_t>& GetDistances(uint32_t anchor);

    const TopologyGraph& m_graph;
    std::vector<std::vector<uint32_t>> m_neighbors;                  ///< By node or endpoint id.
    std::unordered_map<uint32_t, std::vector<uint16_t>> m_distances; ///< By anchor, then by id.
};

} // namespace ns3::rdma

#endif // RDMA_HOP_COUNTS_H
