// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/flow-check.h"

namespace ns3::rdma
{

namespace
{

constexpr int64_t PS_PER_SECOND{1'000'000'000'000};

/// 11 days. All events after a start must be before the end of ns-3's time at 106 days.
constexpr int64_t MAX_START_PS{1'000'000 * PS_PER_SECOND};

/// @return the ids of the servers, for messages.
std::string
DescribeServers(const TopologyGraph& graph)
{
    const std::vector<uint32_t> servers = graph.GetServers();
    const bool areAllBetween = servers.back() - servers.front() + 1 == servers.size();
    return std::to_string(servers.front()) + " to " + std::to_string(servers.back()) +
           (areAllBetween ? "" : ", without the switches");
}

/// Checks one end. @param role "source" or "destination"
std::optional<FlowFault>
FindEndFault(const TopologyGraph& graph, uint32_t node, const char* role)
{
    const bool isKnown = node < graph.isSwitch.size();
    if (isKnown && !graph.isSwitch[node])
    {
        return std::nullopt; // The usual case makes no text: each flow is checked.
    }
    const std::string expected = std::string("a server as ") + role;
    return isKnown
               ? FlowFault{expected, graph.GetNodeName(node)}
               : FlowFault{expected + " (" + DescribeServers(graph) + ")", std::to_string(node)};
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
    if (flow.startPs < 0)
    {
        return FlowFault{"a start at 0 or later", std::to_string(flow.startPs) + " ps"};
    }
    if (flow.startPs > MAX_START_PS)
    {
        return FlowFault{"a start at " + std::to_string(MAX_START_PS / PS_PER_SECOND) +
                             " s or before",
                         std::to_string(flow.startPs) + " ps, which is too large"};
    }
    return std::nullopt;
}

} // namespace ns3::rdma
