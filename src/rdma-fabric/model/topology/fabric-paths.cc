// SPDX-License-Identifier: GPL-2.0-only

// Fabric: the paths of flows, and the round trips of the empty network.

#include "ns3/fabric.h"

#include <algorithm>
#include <map>

namespace ns3::rdma
{

namespace
{
/// @param port that sends the data
/// @return the time that a link without faults adds to a round trip in the empty network.
Tick
GetRoundTrip(const FabricPort& port, uint32_t dataBytes, uint32_t ackBytes)
{
    return 2 * port.GetDelay() + port.GetNominalHeadTime(dataBytes) +
           port.GetPeer()->GetNominalHeadTime(ackBytes);
}

/// The two largest times of the servers at a switch.
struct LongestTwo
{
    uint32_t node{0}; ///< The server of the largest time.
    Tick longest{0};
    Tick second{0};

    void Add(uint32_t server, Tick time)
    {
        second = std::max(second, std::min(longest, time));
        node = time > longest ? server : node;
        longest = std::max(longest, time);
    }
};

/// @return the largest sum for two different servers; 0 if there is only one.
Tick
FindLongestPair(const LongestTwo& up, const LongestTwo& down)
{
    if (up.second == 0)
    {
        return 0;
    }
    return up.node != down.node ? up.longest + down.longest
                                : std::max(up.longest + down.second, up.second + down.longest);
}
} // namespace

PortPath
Fabric::FindPath(uint32_t src, uint32_t dst, uint32_t entropy)
{
    PortPath path;
    uint32_t node = src;
    uint32_t number = 0;
    // Terminates, since each hop of a shortest path reduces the distance.
    while (true)
    {
        const LinkEnd& end = m_ends[m_firstEnds[node] + number];
        path.push_back(end.port);
        node = end.neighbor;
        if (node == dst)
        {
            return path;
        }
        const FabricSwitch* const fabricSwitch =
            node < m_switches.size() ? PeekPointer(m_switches[node]) : nullptr;
        const FabricPort* const next =
            fabricSwitch ? fabricSwitch->FindFlowEgress(dst, entropy) : nullptr;
        if (!next)
        {
            path.clear();
            return path;
        }
        number = next->GetNumber();
    }
}

PathFacts
Fabric::FindFacts(uint32_t src,
                  uint32_t dst,
                  uint32_t entropy,
                  uint32_t dataBytes,
                  uint32_t ackBytes)
{
    const PortPath path = FindPath(src, dst, entropy);
    PathFacts facts;
    for (const FabricPort* port : path)
    {
        facts.rtt += GetRoundTrip(*port, dataBytes, ackBytes);
    }
    facts.hops = path.empty() ? 0 : static_cast<uint32_t>(path.size() - 1);
    return facts;
}

Tick
Fabric::GetMaxBaseRtt(uint32_t dataBytes, uint32_t ackBytes) const
{
    const auto cost = [&](const FabricPort& port) {
        return GetRoundTrip(port, dataBytes, ackBytes);
    };

    // The server links of each switch with the longest round trips: of data to the switch, and of
    // data from it.
    struct Access
    {
        uint32_t node;
        LongestTwo up;
        LongestTwo down;
    };

    std::map<uint32_t, Access> edges; // By switch number.
    Tick longest = 0;
    for (const uint32_t node : m_graph.GetEndpoints())
    {
        const FabricPort& port = GetPort(node, 0);
        const uint32_t switchNumber = m_routes.attachments[node].switchNumber;
        if (switchNumber == Attachment::ABSENT)
        {
            longest = std::max(longest, cost(port)); // Back-to-back link to another server.
            continue;
        }
        Access& edge = edges[switchNumber];
        edge.node = m_neighbors[node][0];
        edge.up.Add(node, cost(port));
        edge.down.Add(node, cost(*port.GetPeer()));
    }
    for (const auto& [from, source] : edges)
    {
        longest = std::max(longest, FindLongestPair(source.up, source.down));
        for (const auto& [to, target] : edges)
        {
            Tick sum = source.up.longest + target.down.longest;
            uint32_t node = source.node;
            uint32_t number = from;
            while (number != to && m_routes.tables[number].Find(to).count != 0)
            {
                const RouteTable& table = m_routes.tables[number];
                const uint16_t port = table.ports[table.Find(to).first];
                sum += cost(GetPort(node, port));
                node = m_neighbors[node][port];
                number = m_switchNumbers[node];
            }
            longest = std::max(longest, from == to || number != to ? 0 : sum);
        }
    }
    return longest;
}

} // namespace ns3::rdma
