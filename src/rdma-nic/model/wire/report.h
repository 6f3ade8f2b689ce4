// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_REPORT_H
#define RDMA_REPORT_H

#include "ns3/psn.h"

#include <cstdint>

namespace ns3::rdma
{

/// Up to 64 PSNs that the receiver holds out of order. A cleared bit has no meaning.
struct SackBitmap
{
    Psn base;         ///< The PSN of bit 0.
    uint64_t bits{0}; ///< Bit 0 first.

    bool IsEmpty() const
    {
        return bits == 0;
    }

    /// @return the last PSN whose bit is set. Only if not empty.
    Psn GetNewest() const
    {
        uint32_t last = 0;
        for (uint64_t rest = bits >> 1; rest != 0; rest >>= 1)
        {
            ++last;
        }
        return base + last;
    }
};

/// What a receiver has beyond the packets that it acknowledges in order.
struct Report
{
    SackBitmap bitmap;
    uint32_t held{0};          ///< Packets that the receiver holds out of order, at most 65535.
    uint32_t receivedBytes{0}; ///< On the wire, of all packets accepted so far, modulo 2^32.
};

} // namespace ns3::rdma

#endif // RDMA_REPORT_H
