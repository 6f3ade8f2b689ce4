// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_TOPOLOGY_GRAPH_H
#define RDMA_TOPOLOGY_GRAPH_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// One full-duplex link of a TopologyGraph; several may join the same two nodes.
struct GraphLink
{
    uint32_t a;         ///< Node id.
    uint32_t b;         ///< Node id.
    DataRate rate;      ///< Of each direction, at the wire.
    Time delay;         ///< Propagation, one way.
    double lossRate{0}; ///< Probability in [0, 1) that a frame is lost, each direction on its own.
};

/**
 * @ingroup rdma-fabric
 * @brief Who is connected to whom, as plain data: what topologies produce and Fabric builds from.
 *
 * Node ids are indices 0 .. isSwitch.size() - 1; nodes that are not switches are servers.
 */
struct TopologyGraph
{
    std::vector<bool> isSwitch;   ///< By node id.
    std::vector<GraphLink> links; ///< In the order in which ports are numbered.

    uint32_t GetServerCount() const;
    /// @return the ids of the servers, rising.
    std::vector<uint32_t> GetServers() const;
    /// @return "server 3" or "switch 65", for messages.
    std::string GetNodeName(uint32_t id) const;
};

} // namespace ns3::rdma

#endif // RDMA_TOPOLOGY_GRAPH_H
