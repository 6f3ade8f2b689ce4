// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PORT_LINK_H
#define RDMA_PORT_LINK_H

#include "ns3/link-policy.h"

#include <vector>

namespace ns3::rdma
{

/// The policies of a port and what the port keeps for them. A port without policies has none.
struct PortLink
{
    struct Slot
    {
        Ptr<LinkPolicy> policy;
        Tick timerAt{TICK_NEVER}; ///< Of the earliest pending timer event.
        Tick laterAt{TICK_NEVER}; ///< Of the next one.
    };

    std::vector<Slot> slots;  ///< Departures pass them in this order, arrivals in reverse order.
    Tick orderedSetsUntil{0}; ///< When the last ordered set has left.
    FrameIndex queuedReplay{NO_FRAME}; ///< In the queue of MAC control.
    bool isReplayStale{false};         ///< The link was down since it was queued.
    bool isReleasedByOwner{false};     ///< The owner calls FabricPort::Release().
    uint8_t closed{0};                 ///< One bit per class that the policies hold back.
};

} // namespace ns3::rdma

#endif // RDMA_PORT_LINK_H
