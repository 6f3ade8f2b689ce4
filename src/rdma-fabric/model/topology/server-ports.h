// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SERVER_PORTS_H
#define RDMA_SERVER_PORTS_H

#include "ns3/topology-graph.h"

#include <vector>

namespace ns3::rdma
{

/// Numbers of NICs per server and of ports per NIC.
struct ServerPorts
{
    static constexpr uint32_t MAX_NICS{64};
    static constexpr uint32_t MAX_PORTS{16};

    /// By node id, at least 1; servers beyond the end of the list have one.
    std::vector<uint32_t> nics;
    uint32_t portsPerNic{1}; ///< Number of planes.

    /// @return whether each server has one NIC of one port.
    bool IsPlain() const;
};

/**
 * @ingroup rdma-topology
 * @brief Adds NICs to the servers of a graph, and ports to the NICs.
 *
 * All NICs of a server are attached to the server's switch in the graph, by copies of the server's
 * link.  Port p of each NIC is on plane p.  Plane 0 is the network of the graph; each further plane
 * is a copy of all switches and of the links between them.  No link joins two planes.
 *
 * Node ids of the graph are unchanged.  The switches of further planes follow, by plane in the
 * order of the graph, then the endpoints (EndpointMap).  At a switch the ports of the graph are
 * numbered first.
 *
 * @param graph checked by the caller
 * @throws InputError if the graph has endpoints of its own to which others would be added, two
 * servers are joined without a switch, a number is 0 or above its
 * maximum, or a switch gets more than 65536 ports
 */
TopologyGraph AddEndpoints(const TopologyGraph& graph, const ServerPorts& ports);

} // namespace ns3::rdma

#endif // RDMA_SERVER_PORTS_H
