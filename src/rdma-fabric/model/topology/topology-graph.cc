// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/topology-graph.h"

#include <algorithm>

namespace ns3::rdma
{

uint32_t
TopologyGraph::GetServerCount() const
{
    return static_cast<uint32_t>(std::count(isSwitch.begin(), isSwitch.end(), false));
}

std::vector<uint32_t>
TopologyGraph::GetServers() const
{
    std::vector<uint32_t> servers;
    for (uint32_t id = 0; id < isSwitch.size(); ++id)
    {
        if (!isSwitch[id])
        {
            servers.push_back(id);
        }
    }
    return servers;
}

std::vector<uint32_t>
TopologyGraph::GetEndpoints() const
{
    std::vector<uint32_t> ids = GetServers();
    for (auto id = static_cast<uint32_t>(isSwitch.size()); id < GetIdCount(); ++id)
    {
        ids.push_back(id);
    }
    return ids;
}

EndpointMap
TopologyGraph::MakeEndpointMap() const
{
    return EndpointMap(static_cast<uint32_t>(isSwitch.size()), endpoints);
}

std::string
TopologyGraph::GetNodeName(uint32_t id) const
{
    if (id < isSwitch.size() || id >= GetIdCount())
    {
        return (IsSwitch(id) ? "switch " : "server ") + std::to_string(id);
    }
    const Endpoint endpoint = GetEndpoint(id);
    return "server " + std::to_string(endpoint.server) + " (NIC " + std::to_string(endpoint.nic) +
           ", port " + std::to_string(endpoint.port) + ")";
}

} // namespace ns3::rdma
