// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_CLOCK_DOMAIN_H
#define FPGA_CLOCK_DOMAIN_H

#include "ns3/tick.h"

#include <cstdint>

namespace ns3::rdma
{

/// A clock edge, counted from the start of the run.
using Cycle = int64_t;

/**
 * @ingroup fpga-clocked
 * @brief A clock and the width of the bus that it drives.
 *
 * The period is the exact ratio 10^12 ps / frequency, so that edges do not drift: edge n of a 322
 * MHz clock is at floor(n * 10^12 / 322'000'000) ps.
 *
 * Not modelled: jitter, and the phase between two domains (edge 0 of each is at time 0).
 */
class ClockDomain
{
  public:
    /// @param hertz at least 1, at most 10^12
    /// @param busBytes at least 1
    ClockDomain(uint64_t hertz, uint32_t busBytes);

    /// @param cycle at least 0
    /// @return the time of an edge.
    Tick GetTime(Cycle cycle) const;

    /// @return the first edge at or after a time. GetCycle(GetTime(c)) is c.
    Cycle GetCycle(Tick time) const;

    /// @return the time of the edge `cycles` after GetCycle(time).
    Tick GetLater(Tick time, Cycle cycles) const
    {
        return GetTime(GetCycle(time) + cycles);
    }

    /// @return words on the bus for a number of bytes, at least 1.
    uint32_t GetWords(uint32_t bytes) const;

    /// @return the bandwidth of the bus, bit/s.
    uint64_t GetBitRate() const
    {
        return m_hertz * m_busBytes * 8;
    }

  private:
    uint64_t m_hertz;
    uint32_t m_busBytes;
};

} // namespace ns3::rdma

#endif // FPGA_CLOCK_DOMAIN_H
