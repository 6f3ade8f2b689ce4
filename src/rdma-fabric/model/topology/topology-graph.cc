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

std::string
TopologyGraph::GetNodeName(uint32_t id) const
{
    const bool isASwitch = id < isSwitch.size() && isSwitch[id];
    return (isASwitch ? "switch " : "server ") + std::to_string(id);
}

} // namespace ns3::rdma
