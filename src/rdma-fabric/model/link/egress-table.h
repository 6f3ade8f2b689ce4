// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_EGRESS_TABLE_H
#define RDMA_EGRESS_TABLE_H

#include "ns3/ecmp-hash.h"
#include "ns3/frame.h"

#include <cstdint>
#include <limits>

namespace ns3::rdma
{

/// Switch and port to which an endpoint is attached.
struct Attachment
{
    static constexpr uint32_t ABSENT{std::numeric_limits<uint32_t>::max()};

    uint32_t switchNumber{ABSENT}; ///< Position among the switches, by rising node id.
    uint32_t port{0};              ///< Port of that switch.
};

/// Ports of equal cost towards another switch: a range of EgressTable::nextTargets.
struct NextHops
{
    static constexpr uint32_t MAX_FIRST{(1U << 22) - 1};
    static constexpr uint32_t MAX_COUNT{(1U << 10) - 1};
    uint32_t count : 10; ///< 0: unreachable.
    uint32_t first : 22; ///< 0 if the switch is unreachable.
};

/**
 * @ingroup rdma-link
 * @brief The egress ports of one switch whose choice depends on the frame alone, as ids of the
 * engine (Frame::egress).
 *
 * The port at the other end of a link reads it when a frame is sent to the switch
 * (docs/extend/speed-hints.md).  One cache line; the arrays belong to the switch and to its routes.
 */
struct alignas(64) EgressTable
{
    const Attachment* attachments{nullptr}; ///< By endpoint id. Null: no egress is known.
    const uint32_t* portTargets{nullptr};   ///< By port number.
    const uint32_t* nextTargets{nullptr};   ///< Ports of all groups; the first is NO_EGRESS.
    const NextHops* groups{nullptr};
    const uint16_t* groupOf{nullptr}; ///< By switch number: index into groups.
    uint32_t number{0};               ///< Of this switch.
    uint32_t firstUnusual{0};         ///< As in RouteTable, as the next one.
    uint32_t unusualCount{0};
    NextHops usual{0, 0}; ///< RouteTable::usualGroup.
    EcmpHash ecmp;        ///< Chooses among ports of equal cost.

    NextHops GetNextHops(uint32_t switchNumber) const
    {
        return switchNumber - firstUnusual < unusualCount ? groups[groupOf[switchNumber]] : usual;
    }

    /// @return Frame::egress of a frame that is sent to the switch. Only if attachments is set.
    uint32_t Find(const Frame& frame) const
    {
        const Attachment& attachment = attachments[frame.dst];
        if (attachment.switchNumber == number)
        {
            return portTargets[attachment.port];
        }
        if (attachment.switchNumber == Attachment::ABSENT)
        {
            return NO_EGRESS;
        }
        const NextHops hops = GetNextHops(attachment.switchNumber);
        const uint32_t choice = hops.count > 1 ? ecmp.Choose(frame.entropy, hops.count) : 0;
        return nextTargets[hops.first + choice];
    }
};

} // namespace ns3::rdma

#endif // RDMA_EGRESS_TABLE_H
