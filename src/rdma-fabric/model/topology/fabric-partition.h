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
 * With expected loads of the servers, parts and removed switches are assigned by load.  A lower
 * tier is removed if it relieves the busiest rank by more than the additional frames between ranks
 * cost.
 */
class FabricPartition
{
  public:
    /// @param ranks at least 1
    /// @param serverLoads by node: bytes that a server is expected to send and receive, 0 for
    /// switches; empty, or all zero: bandwidth counts
    /// @throws InputError if there are fewer parts than ranks.
    FabricPartition(const TopologyGraph& graph,
                    uint32_t ranks,
                    const std::vector<double>& serverLoads = {});

    /**
     * @brief Finds how many ranks shorten a run.
     *
     * A run lasts as long as its busiest rank computes, so that more ranks help only if they reduce
     * the largest server bandwidth of a rank: 12 ranks are not faster than 8 with 16 equal parts.
     *
     * @param limit of the number of ranks, at least 1
     * @return the number of ranks up to the limit with the least bandwidth of the busiest rank; of
     * equal ones the smallest
     */
    static uint32_t ChooseCount(const TopologyGraph& graph, uint32_t limit);

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
