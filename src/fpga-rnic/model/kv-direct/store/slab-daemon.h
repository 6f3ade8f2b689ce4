// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_SLAB_DAEMON_H
#define FPGA_SLAB_DAEMON_H

#include "ns3/host-slab-stack.h"
#include "ns3/kv-store-settings.h"

#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/// What the host's daemon has done.
struct SlabDaemonStats
{
    uint64_t splits{0};        ///< Times that entries went to a stack of smaller slabs.
    uint64_t splitEntries{0};  ///< Entries that were copied then.
    uint64_t merges{0};        ///< Times that all free slabs were sorted.
    uint64_t mergedEntries{0}; ///< Entries that were sorted then, before merging.
};

/**
 * @ingroup fpga-kv-direct
 * @brief The host's side of the slab allocator: stacks of free slabs, splitting and merging
 * (KV-Direct, sections 3.3.2 and 4).
 *
 * Splitting copies entries from the nearest stack of larger slabs to one of smaller slabs; the size
 * is in the entry, and the NIC uses up the parts.  Merging is lazy: all free slabs on the host's
 * side are sorted and joined once a stack is empty and no larger one can be split, or once a stack
 * of small slabs is above the high watermark.
 *
 * The paper's daemon checks the stacks periodically; here it acts as soon as the NIC's exchange
 * has left a stack below its watermark.  Its time on a core is GetSplitTime and GetMergeTime of
 * slab-daemon-cost.h.
 */
class SlabDaemon
{
  public:
    /// All of the dynamic memory is free then, as largest slabs. @param memory outlives the daemon
    SlabDaemon(const SlabAllocatorSettings& settings,
               const KvLayout& layout,
               PayloadMemory& memory);

    HostSlabStack& GetStack(uint32_t type)
    {
        return m_stacks[type];
    }

    /// Splits larger slabs into a stack if it is below the low watermark and there are any.
    void CheckLow(uint32_t type);

    /// Merges if a stack is above the high watermark. @param freedBytes that came to it
    void CheckHigh(uint32_t type, uint64_t freedBytes);

    /// @return whether merging can help: enough slabs came into the stacks since the last time.
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
    uint64_t m_looseBytes; ///< That came into stacks below the largest since the last merging.
    SlabDaemonStats m_stats;
};

} // namespace ns3::rdma

#endif // FPGA_SLAB_DAEMON_H
