// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/fabric-border.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{
/// Calls visit(link, rank of GraphLink::a, rank of GraphLink::b) for each link between two ranks.
template <typename Visitor>
void
VisitBorders(const Fabric& fabric, const FabricPartition& partition, Visitor visit)
{
    const auto& links = fabric.GetGraph().links;
    for (std::size_t link = 0; link < links.size(); ++link)
    {
        const uint32_t a = partition.GetRank(links[link].a);
        const uint32_t b = partition.GetRank(links[link].b);
        if (a != b)
        {
            visit(link, a, b);
        }
    }
}
} // namespace

void
OpenBorders(Fabric& fabric, const FabricPartition& partition, FrameOutbox& outbox)
{
    fabric.GetCore().outbox = &outbox;
    VisitBorders(fabric, partition, [&fabric](std::size_t link, uint32_t a, uint32_t b) {
        fabric.GetLinkPort(link, 0).SetPeerRank(static_cast<uint16_t>(b));
        fabric.GetLinkPort(link, 1).SetPeerRank(static_cast<uint16_t>(a));
    });
}

Tick
GetLookahead(const Fabric& fabric, const FabricPartition& partition)
{
    Tick least = TICK_NEVER;
    VisitBorders(fabric, partition, [&fabric, &least](std::size_t link, uint32_t, uint32_t) {
        least = std::min(least, fabric.GetLinkPort(link, 0).GetShortestFlight());
    });
    return least;
}

} // namespace ns3::rdma
