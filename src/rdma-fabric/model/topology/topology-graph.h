// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_TOPOLOGY_GRAPH_H
#define RDMA_TOPOLOGY_GRAPH_H

#include "ns3/data-rate.h"
#include "ns3/endpoint-map.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// One full-duplex link of a TopologyGraph; several may join the same two nodes.
struct GraphLink
{
    uint32_t a;         ///< Node or endpoint id.
    uint32_t b;         ///< Node or endpoint id.
    DataRate rate;      ///< Rate of each direction, on the wire.
    Time delay;         ///< Propagation, one way.
    double lossRate{0}; ///< Probability in [0, 1) that a frame is lost, each direction on its own.
    uint8_t cost{1};    ///< Routes are the paths with the least sum of costs; from 1.
};

/**
 * @ingroup rdma-fabric
 * @brief Nodes and links of a network as plain data: the result of a topology and the input of
 * Fabric.
 *
 * Node ids are indices 0 .. isSwitch.size() - 1; nodes that are not switches are servers.  The node
 * id of a server is also the endpoint id of the first port of its first NIC; all further endpoints
 * have ids above the nodes' (EndpointMap).  AddEndpoints() adds them to a graph.
 */
struct TopologyGraph
{
    std::vector<bool> isSwitch;   ///< By node id.
    std::vector<GraphLink> links; ///< In the order in which ports are numbered.
    /// Endpoints with ids above the nodes', by server, NIC and port; empty in most graphs.
    std::vector<Endpoint> endpoints{};

    /// @return the upper bound of the ids of nodes and endpoints.
    uint32_t GetIdCount() const
    {
        return static_cast<uint32_t>(isSwitch.size() + endpoints.size());
    }

    /// @param id of a node or an endpoint
    bool IsSwitch(uint32_t id) const
    {
        return id < isSwitch.size() && isSwitch[id];
    }

    /// @return server, NIC and port of an endpoint id.
    Endpoint GetEndpoint(uint32_t id) const
    {
        return id < isSwitch.size() ? Endpoint{id, 0, 0} : endpoints[id - isSwitch.size()];
    }

    /// @return the ids of all endpoints, rising.
    std::vector<uint32_t> GetEndpoints() const;
    EndpointMap MakeEndpointMap() const;

    /// @return the largest ratio, of all switches with servers, of the rates of their links to
    /// servers and of those to switches; 1 if none has links to switches. Further tiers do not
    /// count.
    double FindOversubscription() const;

    uint32_t GetServerCount() const;
    /// @return the ids of the servers, rising.
    std::vector<uint32_t> GetServers() const;
    /// @return "server 3", "switch 65" or "server 3 (NIC 1, port 0)", for messages.
    std::string GetNodeName(uint32_t id) const;
};

} // namespace ns3::rdma

#endif // RDMA_TOPOLOGY_GRAPH_H
