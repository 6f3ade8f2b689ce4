// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FAT_TREE_TOPOLOGY_H
#define RDMA_FAT_TREE_TOPOLOGY_H

#include "ns3/topology-graph.h"

namespace ns3::rdma
{

/// User parameters of a fat-tree.
struct FatTreeParameters
{
    uint32_t servers{64};              ///< One of FatTreeTopology::GetServerCounts().
    DataRate hostRate{100000000000};   ///< Server to top-of-rack switch.
    DataRate fabricRate{400000000000}; ///< Between switches.
    Time linkDelay;                    ///< Propagation of every link, one way.
};

/// Numbers of nodes; zero aggregates or cores mean that the tier is absent.
struct FatTreeShape
{
    uint32_t pods;
    uint32_t torsPerPod;
    uint32_t serversPerTor;
    uint32_t aggregatesPerPod; ///< Each ToR has one link to each aggregate of its pod.
    uint32_t coresPerAggregate;

    uint32_t GetServerCount() const;
    uint32_t GetTorCount() const;
    uint32_t GetAggregateCount() const;
    /// Aggregate i of each pod has a link to cores i x coresPerAggregate and following.
    uint32_t GetCoreCount() const;
};

/**
 * @ingroup rdma-topology
 * @brief The fat-trees of SRNIC section 6.3 (Wang et al., NSDI 2023), with one, two or three tiers.
 *
 * None is oversubscribed if the fabric rate is four times the host rate.  Node ids: servers, then
 * ToRs, then aggregates, then cores, each in the order of pods.  For 16 to 1024 servers these are
 * the graphs of the topology files that the SRNIC authors publish.  The 4096-server tree continues
 * their pattern.
 */
class FatTreeTopology
{
  public:
    /// @return the available sizes, rising: 16, 64, 256, 1024, 4096.
    static std::vector<uint32_t> GetServerCounts();

    /// @throws InputError that lists the sizes if there is no tree with this number of servers.
    static const FatTreeShape& GetShape(uint32_t servers);

    /// @throws InputError if the size does not exist, a rate is zero or the delay is negative.
    static TopologyGraph Build(const FatTreeParameters& parameters);
};

} // namespace ns3::rdma

#endif // RDMA_FAT_TREE_TOPOLOGY_H
