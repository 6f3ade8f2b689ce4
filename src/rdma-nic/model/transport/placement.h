// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PLACEMENT_H
#define RDMA_PLACEMENT_H

#include "ns3/tick.h"

#include <cstdint>

namespace ns3::rdma
{

/// Describes when and where a received packet's payload is written to memory. A packet without
/// payload has a placement too: it may take a receive request.
struct Placement
{
    bool IsPlaced() const
    {
        return from != TICK_NEVER;
    }

    Tick from{TICK_NEVER}; ///< When it may leave the chip; TICK_NEVER: it is not written to memory.
    uint64_t address{0};   ///< Address if the packet has none; 0: unknown.
    uint32_t bytes{0};     ///< Bytes written to memory; 0: all of the packet's payload.
};

} // namespace ns3::rdma

#endif // RDMA_PLACEMENT_H
