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
 * @param where beginning of the message, such as "fat.txt:1" or "fabric.topology"
 * @throws InputError that names the first invalid node or link
 */
void CheckTopology(const TopologyGraph& graph, const std::string& where);

/// @param graph checked
/// @return by node id: sum of the rates of a server's links, bit/s; 0 for switches.
std::vector<uint64_t> GetServerRates(const TopologyGraph& graph);

} // namespace ns3::rdma

#endif // RDMA_TOPOLOGY_CHECK_H
