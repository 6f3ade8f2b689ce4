// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/flow-check.h"

namespace ns3::rdma
{

namespace
{

/// Checks one end. @param role "source" or "destination"
std::optional<FlowFault>
FindEndFault(const TopologyGraph& graph, uint32_t node, const std::string& role)
{
    if (node >= graph.isSwitch.size())
    {
        return FlowFault{"a known node as " + role + " (0 to " +
                             std::to_string(graph.isSwitch.size() - 1) + ")",
                         std::to_string(node)};
    }
    if (graph.isSwitch[node])
    {
        return FlowFault{"a server as " + role, graph.GetNodeName(node)};
    }
    return std::nullopt;
}

} // namespace

std::optional<FlowFault>
FindFlowFault(const TopologyGraph& graph, const FlowArrival& flow)
{
    if (auto fault = FindEndFault(graph, flow.src, "source"))
    {
        return fault;
    }
    if (auto fault = FindEndFault(graph, flow.dst, "destination"))
    {
        return fault;
    }
    if (flow.src == flow.dst)
    {
        return FlowFault{"two different servers",
                         "a flow from server " + std::to_string(flow.src) + " to itself"};
    }
    if (flow.bytes == 0)
    {
        return FlowFault{"a flow of at least 1 byte", "0"};
    }
    if (flow.startPs < 0)
    {
        return FlowFault{"a start at 0 or later", std::to_string(flow.startPs) + " ps"};
    }
    return std::nullopt;
}

} // namespace ns3::rdma
