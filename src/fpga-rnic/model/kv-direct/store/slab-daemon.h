// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_SLAB_DAEMON_H
#define FPGA_SLAB_DAEMON_H

#include "ns3/kv-store-settings.h"
#include "ns3/slab-stacks.h"

#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/// Counts of the host's daemon.
struct SlabDaemonStats
{
    uint64_t splits{0};        ///< Moves of entries to a stack of smaller slabs.
    uint64_t splitEntries{0};  ///< Entries copied by splits.
    uint64_t merges{0};        ///< Sorts of all free slabs.
    uint64_t mergedEntries{0}; ///< Entries sorted, before merging.
};

/**
 * @ingroup fpga-kv-direct
 * @brief The host's side of the slab allocator: stacks of free slabs, splitting and merging
 * (KV-Direct, sections 3.3.2 and 4).
 *
 * Splitting copies entries from the nearest stack of larger slabs to one of smaller slabs; an entry
 * contains its size, and the NIC allocates its parts.  Merging is lazy: it sorts and joins all free
 * slabs on the host's side.  It is done when a stack is empty and no larger one can be split, or
 * when a stack of small slabs is above the high watermark.
 *
 * The paper's daemon checks the stacks periodically; here it checks them at each exchange of the
 * NIC.  Its time on a core is that of SlabDaemonCost.
 */
class SlabDaemon
{
  public:
    /// All of the dynamic memory is free at first, as largest slabs.
    /// @param memory outlives the daemon
    SlabDaemon(const SlabAllocatorSettings& settings,
               const KvLayout& layout,
               PayloadMemory& memory);

    HostSlabStack& GetStack(uint32_t type)
    {
        return m_stacks[type];
    }

    /// Splits larger slabs into a stack if it is below the low watermark and there are any.
    void CheckLow(uint32_t type);

    /// Merges if a stack is above the high watermark.
    /// @param freedBytes that were added to it
    void CheckHigh(uint32_t type, uint64_t freedBytes);

    /// @return whether merging is worthwhile: enough slabs were added to the stacks since the last
    /// merge.
    bool CanMerge() const;

    /// Joins all free slabs of the host's side.
    void Merge();

    const SlabDaemonStats& GetStats() const
    {
        return m_stats;
    }

    uint64_t GetFreeBytes() const;

  private:
    bool Split(uint32_t type);

    SlabAllocatorSettings m_settings;
    SlabRange m_range;
    std::vector<HostSlabStack> m_stacks; ///< By type.
    uint64_t m_looseBytes; ///< Added to stacks below the largest since the last merge.
    SlabDaemonStats m_stats;
};

} // namespace ns3::rdma

#endif // FPGA_SLAB_DAEMON_H
