// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_DROP_PLACE_H
#define RDMA_DROP_PLACE_H

#include "ns3/drop-reason.h"

namespace ns3::rdma
{

/**
 * @return whether a frame dropped for this reason was lost in the fabric, at a switch or on a link,
 * or lost its payload there.
 * Otherwise a server discarded it: a NIC that does not take a frame out of order, or has no room
 * for it, or a full queue of the server's IP stack.
 */
constexpr bool
IsFabricDrop(DropReason reason)
{
    switch (reason)
    {
    case DropReason::BUFFER_FULL:
    case DropReason::LINK_LOSS:
    case DropReason::LINK_DOWN:
    case DropReason::NO_ROUTE:
    case DropReason::TRIMMED:
        return true;
    default:
        return false;
    }
}

} // namespace ns3::rdma

#endif // RDMA_DROP_PLACE_H
