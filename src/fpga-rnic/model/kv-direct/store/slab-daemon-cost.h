// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_SLAB_DAEMON_COST_H
#define FPGA_SLAB_DAEMON_COST_H

#include <cstdint>

namespace ns3::rdma
{

/**
 * @ingroup fpga-kv-direct
 * @brief Time of the slab daemon on the host's cores: a cost model of two measurements of the
 * paper.
 *
 * Splitting: "90M slab entries per second, which only utilizes 10% of a core" (section 5.1.2).
 * Merging by radix sort: 4 billion slots take 30 s on one core and 1.8 s on 32 (Figure 12).  Both
 * are **fitted**: the first gives the cost of an entry; the others give the cost of a slot and the
 * serial share, by Amdahl's law.  Only these functions use them.
 */
class SlabDaemonCost
{
  public:
    /// @return seconds of one core to move entries between stacks.
    static double GetSplitTime(double entries)
    {
        return entries * SPLIT_SHARE / SPLIT_RATE;
    }

    /// @param cores 1 at least
    /// @return seconds until free slots are sorted and joined.
    static double GetMergeTime(double slots, uint32_t cores)
    {
        return slots / MERGE_SLOTS * ONE_CORE * (SERIAL + (1 - SERIAL) / cores);
    }

  private:
    static constexpr double SPLIT_RATE{90e6}; ///< Entries per second.
    static constexpr double SPLIT_SHARE{0.1}; ///< Of a core, at SPLIT_RATE.
    static constexpr double MERGE_SLOTS{4e9};
    static constexpr double ONE_CORE{30}; ///< Seconds.
    static constexpr double MANY_CORES{1.8};
    static constexpr double CORES{32};
    /// s of MANY_CORES = ONE_CORE (s + (1 - s) / CORES): 0.030.
    static constexpr double SERIAL{(MANY_CORES / ONE_CORE - 1 / CORES) / (1 - 1 / CORES)};
};

} // namespace ns3::rdma

#endif // FPGA_SLAB_DAEMON_COST_H
