// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/server-ports.h"

#include "ns3/input-error.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{

void
CheckRange(const std::string& what, uint32_t value, uint32_t most)
{
    if (value < 1 || value > most)
    {
        throw InputError("expected 1 to " + std::to_string(most) + " " + what + ", got " +
                         std::to_string(value));
    }
}

/// Switch ports have 16-bit numbers.
void
CheckPortNumbers(const TopologyGraph& graph)
{
    constexpr uint32_t MAX_SWITCH_PORTS{65536};
    std::vector<uint32_t> counts(graph.GetIdCount(), 0);
    for (const GraphLink& link : graph.links)
    {
        for (const uint32_t id : {link.a, link.b})
        {
            if (++counts[id] > MAX_SWITCH_PORTS)
            {
                throw InputError("expected at most " + std::to_string(MAX_SWITCH_PORTS) +
                                 " ports of a switch, got more at " + graph.GetNodeName(id));
            }
        }
    }
}

/// Copies switches and the links between them, for the planes beyond the first.
class PlaneMaker
{
  public:
    PlaneMaker(const TopologyGraph& graph, uint32_t planes)
        : m_nodes(static_cast<uint32_t>(graph.isSwitch.size())),
          m_switches(m_nodes - graph.GetServerCount()),
          m_numbers(m_nodes, 0)
    {
        uint32_t next = 0;
        for (uint32_t node = 0; node < m_nodes; ++node)
        {
            m_numbers[node] = graph.isSwitch[node] ? next++ : 0;
        }
        m_result = graph;
        m_result.isSwitch.insert(m_result.isSwitch.end(), m_switches * (planes - 1), true);
        for (uint32_t plane = 1; plane < planes; ++plane)
        {
            for (const GraphLink& link : graph.links)
            {
                if (graph.IsSwitch(link.a) && graph.IsSwitch(link.b))
                {
                    GraphLink copy = link;
                    copy.a = GetSwitch(link.a, plane);
                    copy.b = GetSwitch(link.b, plane);
                    m_result.links.push_back(copy);
                }
            }
        }
    }

    /// @return the node id of a switch's copy on a plane.
    uint32_t GetSwitch(uint32_t node, uint32_t plane) const
    {
        return plane == 0 ? node : m_nodes + (plane - 1) * m_switches + m_numbers[node];
    }

    TopologyGraph& GetResult()
    {
        return m_result;
    }

  private:
    uint32_t m_nodes;
    uint32_t m_switches;
    std::vector<uint32_t> m_numbers; ///< By node id: position among the switches.
    TopologyGraph m_result;
};

/// @return by node id: the link of a server in the graph; null for switches.
std::vector<const GraphLink*>
FindLinks(const TopologyGraph& graph)
{
    std::vector<const GraphLink*> links(graph.isSwitch.size(), nullptr);
    for (const GraphLink& link : graph.links)
    {
        if (!graph.IsSwitch(link.a) && !graph.IsSwitch(link.b))
        {
            throw InputError(
                "expected a topology with switches for more than one NIC or port, got " +
                graph.GetNodeName(link.a) + " linked to " + graph.GetNodeName(link.b));
        }
        const uint32_t server = graph.IsSwitch(link.a) ? link.b : link.a;
        links[server] = graph.IsSwitch(server) ? nullptr : &link;
    }
    return links;
}

} // namespace

bool
ServerPorts::IsPlain() const
{
    return portsPerNic == 1 &&
           std::all_of(nics.begin(), nics.end(), [](uint32_t count) { return count == 1; });
}

TopologyGraph
AddEndpoints(const TopologyGraph& graph, const ServerPorts& ports)
{
    CheckRange("ports per NIC", ports.portsPerNic, ServerPorts::MAX_PORTS);
    if (ports.IsPlain())
    {
        return graph;
    }
    if (!graph.endpoints.empty())
    {
        throw InputError(
            "expected a topology whose servers have one NIC of one port, to add others, "
            "got one that has its own");
    }
    const std::vector<const GraphLink*> links = FindLinks(graph);
    PlaneMaker planes(graph, ports.portsPerNic);
    TopologyGraph& result = planes.GetResult();
    for (const uint32_t server : graph.GetServers())
    {
        const GraphLink& link = *links[server];
        const uint32_t place = link.a == server ? link.b : link.a;
        const uint32_t nics = server < ports.nics.size() ? ports.nics[server] : 1;
        CheckRange("NICs per server", nics, ServerPorts::MAX_NICS);
        for (uint32_t nic = 0; nic < nics; ++nic)
        {
            for (uint32_t port = nic == 0 ? 1 : 0; port < ports.portsPerNic; ++port)
            {
                GraphLink copy = link;
                copy.a = result.GetIdCount();
                copy.b = planes.GetSwitch(place, port);
                result.endpoints.push_back({server, nic, port});
                result.links.push_back(copy);
            }
        }
    }
    CheckPortNumbers(result);
    return std::move(result);
}

} // namespace ns3::rdma
