// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_DROP_PLACE_H
#define RDMA_DROP_PLACE_H

#include "ns3/drop-reason.h"

namespace ns3::rdma
{

/**
 * @return whether a frame with this reason was dropped in the fabric, at a switch or on a link, or
 * was trimmed there. Otherwise a server dropped it: a NIC that keeps no frames out of order or had
 * no room, or a full queue of the server's IP stack.
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
    case DropReason::PAUSE_STORM:
        return true;
    default:
        return false;
    }
}

} // namespace ns3::rdma

#endif // RDMA_DROP_PLACE_H
