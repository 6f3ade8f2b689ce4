// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_DRAGONFLY_TOPOLOGY_H
#define RDMA_DRAGONFLY_TOPOLOGY_H

#include "ns3/topology-graph.h"

namespace ns3::rdma
{

/// Numbers and links of a dragonfly, with the letters of Kim et al., ISCA 2008, section 3.1.
struct DragonflyParameters
{
    uint32_t a{2};       ///< Switches of a group, each linked to all others of its group.
    uint32_t p{1};       ///< Servers of a switch.
    uint32_t h{1};       ///< Links of a switch to other groups.
    uint32_t groups{3};  ///< From 2 to GetMaxGroups().
    DataRate hostRate;   ///< Server to switch.
    DataRate localRate;  ///< Within a group.
    DataRate globalRate; ///< Between groups.
    Time localDelay;     ///< Server to switch and within a group, one way.
    Time globalDelay;    ///< Between groups, one way.

    /// @return a h + 1: with so many groups, each switch uses all of its h links.
    uint64_t GetMaxGroups() const
    {
        return uint64_t{a} * h + 1;
    }
};

/**
 * A dragonfly (Kim et al., "Technology-Driven, Highly-Scalable Dragonfly Topology", ISCA 2008):
 * groups of switches, a link between each two switches of a group, and one link between each two
 * groups.  Link k of a group leads to the k-th other group and belongs to switch k / h (the
 * absolute arrangement of Hastings et al., "Comparing Global Link Arrangements for Dragonfly
 * Networks", CLUSTER 2015).
 *
 * A link between groups costs 3, others 1: the cheapest path then is the minimal route of Kim et
 * al., section 4.1, with at most one link within the source's group, the link between the two
 * groups, and at most one link within the destination's.  With equal costs, two links between
 * groups would replace it where they take fewer hops.
 *
 * Node ids: servers by switch, then switches by group.
 *
 * Not modelled: virtual channels, so that PFC can deadlock; non-minimal (Valiant, UGAL) routes.
 *
 * @throws InputError if it is too large (CheckSize()), a rate is zero or a delay negative
 */
TopologyGraph MakeDragonfly(const DragonflyParameters& parameters);

} // namespace ns3::rdma

#endif // RDMA_DRAGONFLY_TOPOLOGY_H
