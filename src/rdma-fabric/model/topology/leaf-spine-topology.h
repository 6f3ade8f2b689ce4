// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_LEAF_SPINE_TOPOLOGY_H
#define RDMA_LEAF_SPINE_TOPOLOGY_H

#include "ns3/topology-graph.h"

namespace ns3::rdma
{

/// Numbers and links of a leaf-spine network.
struct LeafSpineParameters
{
    uint32_t leaves{2};         ///< At least 2.
    uint32_t spines{1};         ///< At least 1.
    uint32_t serversPerLeaf{1}; ///< At least 1.
    uint32_t linksPerSpine{1};  ///< Parallel links between a leaf and a spine, at least 1.
    DataRate hostRate;          ///< Server to leaf.
    DataRate spineRate;         ///< Each link between leaf and spine.
    Time hostDelay;             ///< Server to leaf, one way.
    Time spineDelay;            ///< Leaf to spine, one way.
};

/**
 * Two tiers of switches: each server has a link to its leaf, each leaf the same number of links to
 * each spine.  Node ids: servers by leaf, then leaves, then spines.
 *
 * @throws InputError if it is too large (CheckSize()), a rate is zero or a delay negative
 */
TopologyGraph MakeLeafSpine(const LeafSpineParameters& parameters);

} // namespace ns3::rdma

#endif // RDMA_LEAF_SPINE_TOPOLOGY_H
