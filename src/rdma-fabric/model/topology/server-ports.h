// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SERVER_PORTS_H
#define RDMA_SERVER_PORTS_H

#include "ns3/topology-graph.h"

#include <vector>

namespace ns3::rdma
{

/// How many NICs servers have, and how many ports these.
struct ServerPorts
{
    static constexpr uint32_t MAX_NICS{64};
    static constexpr uint32_t MAX_PORTS{16};

    std::vector<uint32_t> nics; ///< By node id, at least 1; those beyond the list have one.
    uint32_t portsPerNic{1};    ///< Planes.

    /// @return whether each server has one NIC of one port.
    bool IsPlain() const;
};

/**
 * @ingroup rdma-topology
 * @brief Gives the servers of a graph more NICs, and the NICs more ports.
 *
 * All NICs of a server are at the switch that the server is at in the graph, each with a link like
 * that one.  Port p of each NIC is on plane p: plane 0 is the network of the graph, each further
 * one a copy of all of its switches and of the links between them.  No link joins two planes.
 *
 * Node ids of the graph stay; the switches of further planes follow, plane after plane in the order
 * of the graph, then the endpoints (EndpointMap).  At a switch the ports that the graph has come
 * first.
 *
 * @param graph checked by the caller, without such endpoints
 * @throws InputError if two servers are joined without a switch, a number is 0 or above its
 * maximum, or a switch gets more than 65536 ports
 */
TopologyGraph AddEndpoints(const TopologyGraph& graph, const ServerPorts& ports);

} // namespace ns3::rdma

#endif // RDMA_SERVER_PORTS_H
