// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FAT_TREE_TOPOLOGY_H
#define RDMA_FAT_TREE_TOPOLOGY_H

#include "ns3/topology-graph.h"

namespace ns3::rdma
{

/// User parameters of a fat-tree of SRNIC section 6.3.
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

/// Links of a fat-tree.
struct FatTreeLinks
{
    DataRate hostRate;      ///< Server to top-of-rack switch.
    DataRate aggregateRate; ///< Top-of-rack switch to aggregate.
    DataRate coreRate;      ///< Aggregate to core.
    Time delay;             ///< Propagation of every link, one way.
};

/**
 * @ingroup rdma-topology
 * @brief Fat-trees of one, two or three tiers.
 *
 * Node ids: servers, then ToRs, then aggregates, then cores, each in the order of pods.
 *
 * The trees of SRNIC section 6.3 (Wang et al., NSDI 2023) are not oversubscribed if the fabric rate
 * is four times the host rate.  For 16 to 1024 servers these are the graphs of the topology files
 * that the SRNIC authors publish.  The 4096-server tree continues their pattern.
 *
 * The k-ary fat-tree is that of Al-Fares et al., SIGCOMM 2008, section 2.2: k pods, switches of k
 * ports, k^3/4 servers.  It is not oversubscribed if all links have the same rate.
 */
class FatTreeTopology
{
  public:
    static constexpr uint32_t MAX_ARITY{64}; ///< 65536 servers.

    /// @return the sizes of SRNIC's trees, rising: 16, 64, 256, 1024, 4096.
    static std::vector<uint32_t> GetServerCounts();

    /// @return SRNIC's tree with this number of servers.
    /// @throws InputError that lists the sizes if there is none
    static const FatTreeShape& GetShape(uint32_t servers);

    /// @param k ports of a switch; even, from 2 to MAX_ARITY
    static FatTreeShape MakeArity(uint32_t k);

    /**
     * @param oversubscription sum of the rates of a ToR's links to servers over that of its links
     * to aggregates; above 0. Aggregates have the same capacity upwards as downwards, so that this
     * is also the ratio of all servers' rates to the capacity of the top tier. Rates are rounded to
     * the nearest bit/s.
     * @throws InputError if the tree has one switch, or as GetUplinkRate()
     */
    static FatTreeLinks MakeLinks(const FatTreeShape& shape,
                                  DataRate hostRate,
                                  double oversubscription,
                                  Time delay);

    /// A tree of SRNIC's.
    /// @throws InputError if the size does not exist, a rate is zero or the delay is negative.
    static TopologyGraph Build(const FatTreeParameters& parameters);

    /// @throws InputError if the tree is too large (CheckSize()), a rate is zero, the delay is
    /// negative, or not all servers are connected.
    static TopologyGraph Build(const FatTreeShape& shape, const FatTreeLinks& links);
};

} // namespace ns3::rdma

#endif // RDMA_FAT_TREE_TOPOLOGY_H
