// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/pause-cycle.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace ns3::rdma
{

bool
PortClass::operator<(const PortClass& other) const
{
    return std::tie(link, end, priority) < std::tie(other.link, other.end, other.priority);
}

bool
PortClass::operator==(const PortClass& other) const
{
    return std::tie(link, end, priority) == std::tie(other.link, other.end, other.priority);
}

namespace
{

/// By port: those for which it waits.
using WaitGraph = std::map<PortClass, std::set<PortClass>>;

/// @return link and end of each port, by node and port number. A switch numbers its ports in the
/// order of the links.
std::vector<std::vector<PortClass>>
ListPorts(const TopologyGraph& graph)
{
    std::vector<std::vector<PortClass>> ports(graph.GetIdCount());
    for (uint32_t link = 0; link < graph.links.size(); ++link)
    {
        ports[graph.links[link].a].push_back({link, 0, 0});
        ports[graph.links[link].b].push_back({link, 1, 0});
    }
    return ports;
}

/// Adds the waits for the frames that are queued at a paused port of a switch.
void
AddWaits(const Fabric& fabric,
         const FabricSwitch& fabricSwitch,
         const std::vector<PortClass>& ports,
         const FramePool& frames,
         const FabricPort& port,
         PortClass holder,
         std::vector<PauseWait>& waits)
{
    std::set<uint32_t> ingressPorts;
    for (const Frame* frame = port.FindOldest(static_cast<uint8_t>(holder.priority)); frame;
         frame = frame->next == NO_FRAME ? nullptr : &frames[frame->next])
    {
        ingressPorts.insert(frame->ingressPort);
    }
    for (const uint32_t ingress : ingressPorts)
    {
        const PortClass& here = ports[ingress];
        if (fabricSwitch.IsSenderPaused(ingress, holder.priority) ||
            fabric.GetLinkPort(here.link, here.end).IsSenderClosed(holder.priority))
        {
            waits.push_back({{here.link, 1 - here.end, holder.priority}, holder});
        }
    }
}

/// Removes the ports that wait for none of the others, until each port that is left waits for one.
void
RemoveFree(WaitGraph& graph)
{
    bool hasChanged = true;
    while (hasChanged)
    {
        hasChanged = false;
        for (auto one = graph.begin(); one != graph.end();)
        {
            std::set<PortClass>& holders = one->second;
            for (auto holder = holders.begin(); holder != holders.end();)
            {
                holder = graph.count(*holder) ? std::next(holder) : holders.erase(holder);
            }
            hasChanged = hasChanged || holders.empty();
            one = holders.empty() ? graph.erase(one) : std::next(one);
        }
    }
}

} // namespace

std::vector<PauseWait>
FindPauseWaits(Fabric& fabric)
{
    const std::vector<std::vector<PortClass>> all = ListPorts(fabric.GetGraph());
    std::vector<PauseWait> waits;
    for (uint32_t node = 0; node < fabric.GetGraph().isSwitch.size(); ++node)
    {
        const Ptr<FabricSwitch> fabricSwitch = fabric.GetSwitch(node);
        if (!fabricSwitch || fabricSwitch->GetBuffer().GetTotalUsed() == 0)
        {
            continue;
        }
        for (const PortClass& one : all[node])
        {
            const FabricPort& port = fabric.GetLinkPort(one.link, one.end);
            for (uint32_t priority = 0; priority < PRIORITIES; ++priority)
            {
                if (port.IsPaused(static_cast<uint8_t>(priority)))
                {
                    AddWaits(fabric,
                             *fabricSwitch,
                             all[node],
                             fabric.GetCore().pool,
                             port,
                             {one.link, one.end, priority},
                             waits);
                }
            }
        }
    }
    return waits;
}

std::vector<PortClass>
FindPauseCycle(const std::vector<PauseWait>& waits)
{
    WaitGraph graph;
    for (const PauseWait& wait : waits)
    {
        graph[wait.paused].insert(wait.holder);
    }
    RemoveFree(graph);
    std::vector<PortClass> way;
    if (graph.empty())
    {
        return way;
    }
    PortClass next = graph.begin()->first;
    auto begin = way.end();
    while ((begin = std::find(way.begin(), way.end(), next)) == way.end())
    {
        way.push_back(next);
        next = *graph.at(next).begin();
    }
    way.erase(way.begin(), begin);
    std::rotate(way.begin(), std::min_element(way.begin(), way.end()), way.end());
    return way;
}

PausedPort
NamePort(const Fabric& fabric, const PortClass& port)
{
    const GraphLink& link = fabric.GetGraph().links[port.link];
    return {port.end == 0 ? link.a : link.b,
            fabric.GetLinkPort(port.link, port.end).GetNumber(),
            port.end == 0 ? link.b : link.a,
            port.priority};
}

} // namespace ns3::rdma
