// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/topology-graph.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace ns3::rdma
{

double
TopologyGraph::FindOversubscription() const
{
    std::vector<double> toServers(isSwitch.size());
    std::vector<double> toSwitches(isSwitch.size());
    for (const GraphLink& link : links)
    {
        for (const auto& [end, other] : {std::pair(link.a, link.b), std::pair(link.b, link.a)})
        {
            if (IsSwitch(end))
            {
                (IsSwitch(other) ? toSwitches : toServers)[end] +=
                    static_cast<double>(link.rate.GetBitRate());
            }
        }
    }
    std::optional<double> largest;
    for (std::size_t node = 0; node < isSwitch.size(); ++node)
    {
        if (toServers[node] > 0 && toSwitches[node] > 0)
        {
            largest = std::max(largest.value_or(0), toServers[node] / toSwitches[node]);
        }
    }
    return largest.value_or(1);
}

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
