// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_TOPOLOGY_CHECK_H
#define RDMA_TOPOLOGY_CHECK_H

#include "ns3/topology-graph.h"

#include <string>

namespace ns3::rdma
{

/**
 * Checks that a graph can carry RDMA between all of its servers: at least two servers, each with
 * exactly one link (a NIC has one port), each able to reach every other; links between two
 * different nodes that exist, with a rate above zero, a delay of zero or more and a loss rate in
 * [0, 1).
 *
 * @param where begins the message, such as "fat.txt:1" or "fabric.topology"
 * @throws InputError naming the first node or link that is at fault
 */
void CheckTopology(const TopologyGraph& graph, const std::string& where);

/// @return by node id the link of each server (index into graph.links), of a checked graph; 0 for
/// switches.
std::vector<uint32_t> FindServerLinks(const TopologyGraph& graph);

} // namespace ns3::rdma

#endif // RDMA_TOPOLOGY_CHECK_H
