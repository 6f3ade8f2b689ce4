// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/network-view.h"

#include "ns3/drop-place.h"
#include "ns3/fabric-port.h"

namespace ns3::rdma
{

RunView
MakeNetworkView(Fabric& fabric, const std::function<bool(uint32_t node)>& isHere)
{
    RunView view;
    const FabricCore& core = fabric.GetCore();
    for (std::size_t reason = 0; reason < DROP_REASONS; ++reason)
    {
        const auto dropReason = static_cast<DropReason>(reason);
        (IsFabricDrop(dropReason) ? view.drops : view.discards) += core.drops.Get(dropReason);
    }
    view.pauses = core.pfcPauses;
    const TopologyGraph& graph = fabric.GetGraph();
    for (uint32_t link = 0; link < graph.links.size(); ++link)
    {
        const std::array<uint32_t, 2> ends{graph.links[link].a, graph.links[link].b};
        for (uint32_t end = 0; end < ends.size(); ++end)
        {
            if (!isHere(ends[end]))
            {
                continue;
            }
            const uint32_t bytes = fabric.GetLinkPort(link, end).GetTotalQueueBytes();
            view.AddQueue({graph.GetEndpoint(ends[end]).server,
                           graph.GetEndpoint(ends[1 - end]).server,
                           bytes});
        }
    }
    return view;
}

} // namespace ns3::rdma
