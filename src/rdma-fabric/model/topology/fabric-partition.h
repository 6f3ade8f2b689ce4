// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FABRIC_PARTITION_H
#define RDMA_FABRIC_PARTITION_H

#include "ns3/topology-graph.h"

#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-topology
 * @brief Assigns the nodes of a fabric to processes (ranks).
 *
 * The tiers of switches are counted from the servers: switches with servers are the first tier.  A
 * fat-tree without its top tier consists of its pods; without its second tier, of switches with
 * their servers.  The partition removes the highest tier that leaves a part for each rank, so that
 * few links cross ranks.  Each part is assigned to the rank with the least server bandwidth so far,
 * in order of decreasing bandwidth of the parts.  The removed switches are assigned round-robin.
 *
 * Not modelled: the traffic of a workload, which may differ between parts.
 */
class FabricPartition
{
  public:
    /// @param ranks at least 1
    /// @throws InputError if there are fewer parts than ranks.
    FabricPartition(const TopologyGraph& graph, uint32_t ranks);

    /// @return the rank that simulates a node or an endpoint. All endpoints of a server have the
    /// same rank.
    uint32_t GetRank(uint32_t id) const
    {
        return m_rankOf[id];
    }

  private:
    std::vector<uint32_t> m_rankOf; ///< By id.
};

} // namespace ns3::rdma

#endif // RDMA_FABRIC_PARTITION_H
