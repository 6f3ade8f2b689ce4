// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_CLOCKED_ENTRY_H
#define FPGA_CLOCKED_ENTRY_H

#include "ns3/clock-domain.h"

#include <algorithm>

namespace ns3::rdma
{

/**
 * @ingroup fpga-clocked
 * @brief The entry of a pipelined unit.  Each item occupies it for an initiation interval.
 */
class ClockedEntry
{
  public:
    /// @return the first cycle, from `cycle` on, in which the unit can accept an item.
    Cycle GetNext(Cycle cycle) const
    {
        return std::max(cycle, m_free);
    }

    /// Accepts an item in GetNext(cycle).
    /// @param interval cycles in which no other item is accepted
    /// @return GetNext(cycle)
    Cycle Take(Cycle cycle, Cycle interval)
    {
        const Cycle taken = GetNext(cycle);
        m_free = taken + interval;
        return taken;
    }

    /// Accepts no item before a cycle.
    void Block(Cycle until)
    {
        m_free = GetNext(until);
    }

  private:
    static constexpr Cycle LONG_AGO{-(Cycle{1} << 60)};

    Cycle m_free{LONG_AGO}; ///< The first cycle in which it can accept an item.
};

} // namespace ns3::rdma

#endif // FPGA_CLOCKED_ENTRY_H
