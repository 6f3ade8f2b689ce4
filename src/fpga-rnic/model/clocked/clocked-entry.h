// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_CLOCKED_ENTRY_H
#define FPGA_CLOCKED_ENTRY_H

#include "ns3/clock-domain.h"

#include <algorithm>

namespace ns3::rdma
{

/**
 * @ingroup fpga-clocked
 * @brief The entry of a pipelined unit: one item at a time, each for its initiation interval.
 */
class ClockedEntry
{
  public:
    /// @return the first cycle from one on in which the unit can take an item.
    Cycle GetNext(Cycle cycle) const
    {
        return std::max(cycle, m_free);
    }

    /// The unit takes an item in GetNext(cycle). @param interval cycles for which it takes no other
    /// @return that cycle
    Cycle Take(Cycle cycle, Cycle interval)
    {
        const Cycle taken = GetNext(cycle);
        m_free = taken + interval;
        return taken;
    }

    /// The unit takes no item before a cycle.
    void Block(Cycle until)
    {
        m_free = GetNext(until);
    }

  private:
    static constexpr Cycle LONG_AGO{-(Cycle{1} << 60)};

    Cycle m_free{LONG_AGO}; ///< The first cycle in which it can take an item.
};

} // namespace ns3::rdma

#endif // FPGA_CLOCKED_ENTRY_H
