// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_ROUTE_TABLE_H
#define RDMA_ROUTE_TABLE_H

#include "ns3/egress-table.h"

#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/// Ports of equal cost: a range of RouteTable::ports.
struct PortGroup
{
    uint32_t first{0};
    uint32_t count{0}; ///< 0: unreachable.
};

/**
 * @ingroup rdma-routing
 * @brief One switch's next hops to every other switch.
 *
 * A table has one entry per destination switch, not per endpoint: the switch is found by the
 * endpoint's Attachment.  Destination switches that are reached by the same ports share one group.
 * All tables of a fabric therefore fit into the cache.
 */
struct RouteTable
{
    PortGroup Find(uint32_t destination) const
    {
        return groups[groupOf[destination]];
    }

    std::vector<uint16_t> groupOf; ///< By number of the destination switch: index into groups.
    std::vector<PortGroup> groups; ///< No two groups have the same ports.
    std::vector<uint16_t> ports;   ///< Of all groups, rising within each.

    /// The group of most switches that have endpoints: in a fat-tree, the way up. All switches with
    /// endpoints and another group lie in a range, so that few entries are read from memory.
    uint16_t usualGroup{0};
    uint32_t firstUnusual{0};
    uint32_t unusualCount{0};
};

/// Next hops of a whole topology.
struct Routes
{
    std::vector<Attachment> attachments; ///< By id; ABSENT for switches and disconnected endpoints.
    std::vector<RouteTable> tables;      ///< By switch number.
};

} // namespace ns3::rdma

#endif // RDMA_ROUTE_TABLE_H
