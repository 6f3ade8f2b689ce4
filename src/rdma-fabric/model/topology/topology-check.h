// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_TOPOLOGY_CHECK_H
#define RDMA_TOPOLOGY_CHECK_H

#include "ns3/topology-graph.h"

#include <string>

namespace ns3::rdma
{

/// Limits of topologies that are made from numbers: a table of routes has an entry per pair of
/// switches, and its computation visits each link for each switch with servers.
constexpr uint64_t MAX_MADE_SERVERS{65536};
constexpr uint64_t MAX_MADE_SWITCHES{8192};
constexpr uint64_t MAX_MADE_SWITCH_LINKS{262144};

/// Called before a topology is made. @throws InputError if a number is above its limit
void CheckSize(uint64_t servers, uint64_t switches, uint64_t switchLinks);

/**
 * Checks that a graph can carry RDMA between all of its servers: at least two servers, each of
 * their endpoints with exactly one link, each able to reach all others of the same port number
 * (ports of another number may be on another plane); links between two different nodes that exist,
 * with a rate and a cost above zero, a delay of zero or more and a loss rate in [0, 1).
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
