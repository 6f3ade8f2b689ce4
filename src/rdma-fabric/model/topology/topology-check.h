// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_TOPOLOGY_CHECK_H
#define RDMA_TOPOLOGY_CHECK_H

#include "ns3/topology-graph.h"

#include <string>

namespace ns3::rdma
{

/**
 * Checks that a graph can carry RDMA between all of its servers: at least two servers, each of
 * their endpoints with exactly one link, each able to reach all others of the same port number
 * (ports of another number may be on another plane); links between two different nodes that exist,
 * with a rate above zero, a delay of zero or more and a loss rate in [0, 1).
 *
 * @param where begins the message, such as "fat.txt:1" or "fabric.topology"
 * @throws InputError naming the first node or link that is at fault
 */
void CheckTopology(const TopologyGraph& graph, const std::string& where);

/// @return by node id: bit/s of all links of a server, of a checked graph; 0 for switches.
std::vector<uint64_t> GetServerRates(const TopologyGraph& graph);

} // namespace ns3::rdma

#endif // RDMA_TOPOLOGY_CHECK_H
