// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PLACEMENT_H
#define RDMA_PLACEMENT_H

#include "ns3/tick.h"

#include <cstdint>

namespace ns3::rdma
{

/// The way of a received packet's payload to memory. Also of a packet without payload, which may
/// take a receive request.
struct Placement
{
    bool IsPlaced() const
    {
        return from != TICK_NEVER;
    }

    Tick from{TICK_NEVER}; ///< When it may leave the chip; TICK_NEVER: it does not go to memory.
    uint64_t address{0};   ///< Where, if the packet has no address; 0: unknown.
    uint32_t bytes{0};     ///< That go to memory; 0: as many as the packet has.
};

} // namespace ns3::rdma

#endif // RDMA_PLACEMENT_H
