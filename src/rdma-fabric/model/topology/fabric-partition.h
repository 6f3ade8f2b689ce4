// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FABRIC_PARTITION_H
#define RDMA_FABRIC_PARTITION_H

#include "ns3/topology-graph.h"

#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-topology
 * @brief Which of several processes (ranks) simulates which node of a fabric.
 *
 * The tiers of switches are counted from the servers: those with servers are the first.  Without
 * the top tier a fat-tree falls into its pods; without the second tier, into switches with their
 * servers.  The highest tier that leaves a part for each rank is cut off, so that few links cross.
 * Parts are dealt out by the bandwidth of their servers, the greatest first, each to the rank that
 * has least; the switches cut off are assigned round-robin.
 *
 * Not modelled: the traffic of a workload, which may burden one part more than another.
 */
class FabricPartition
{
  public:
    /// @param ranks at least 1
    /// @throws InputError if there are fewer parts than ranks.
    FabricPartition(const TopologyGraph& graph, uint32_t ranks);

    /// @return the rank that simulates a node or an endpoint; all of a server are on one.
    uint32_t GetRank(uint32_t id) const
    {
        return m_rankOf[id];
    }

  private:
    std::vector<uint32_t> m_rankOf; ///< By id.
};

} // namespace ns3::rdma

#endif // RDMA_FABRIC_PARTITION_H
