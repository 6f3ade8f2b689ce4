// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_SLAB_ALLOCATOR_H
#define FPGA_SLAB_ALLOCATOR_H

#include "ns3/slab-daemon.h"
#include "ns3/slab-stacks.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/// Counts of the NIC's side of the allocator.
struct SlabAllocatorStats
{
    uint64_t allocations{0};
    uint64_t deallocations{0};
    uint64_t failures{0};      ///< Allocations that found no slab.
    uint64_t reads{0};         ///< DMAs that read entries.
    uint64_t writes{0};        ///< DMAs that wrote entries.
    uint64_t blockingReads{0}; ///< Reads that delayed an allocation.
    uint64_t entriesRead{0};
    uint64_t entriesWritten{0};
    std::array<uint64_t, SlabEntry::MAX_TYPE + 1> used{}; ///< Slabs in use, by type.

    /// @return DMAs per allocation or deallocation; 0 without any.
    double GetDmaPerOperation() const;

    /// @return bytes of the slabs in use.
    uint64_t GetUsedBytes() const;
};

/**
 * @ingroup fpga-kv-direct
 * @brief Allocates slabs of 32 bytes to the largest size, in powers of two (KV-Direct, section
 * 3.3.2).
 *
 * The NIC's side has a stack per size, whose entries are exchanged with the host in batches by
 * watermarks.  With a batch of 16 entries an allocation costs at most 1/16 DMA in the long run.  If
 * neither NIC nor host has an entry of a size, the NIC uses its own stacks of larger slabs, and at
 * last returns all entries for merging.  Both are ours, so that every free slab can be allocated.
 */
class SlabAllocator
{
  public:
    /// @param memory outlives the allocator
    SlabAllocator(const SlabAllocatorSettings& settings,
                  const KvLayout& layout,
                  PayloadMemory& memory);

    /// @param type 32 << type bytes, up to the largest
    /// @param accesses the DMAs are appended
    /// @return the slab's address in units of 32 bytes; 0 if there is none.
    uint32_t Allocate(uint32_t type, KvAccesses& accesses);

    /// @param unit of a slab of that type that is in use
    void Free(uint32_t unit, uint32_t type, KvAccesses& accesses);

    const SlabAllocatorStats& GetStats() const
    {
        return m_stats;
    }

    const SlabDaemon& GetDaemon() const
    {
        return m_daemon;
    }

    /// @return free bytes, on both sides.
    uint64_t GetFreeBytes() const;

  private:
    /// @return whether the NIC's stack has an entry now.
    bool Refill(uint32_t type, KvAccesses& accesses);
    bool TakeFromLarger(uint32_t type);
    void Fetch(uint32_t type, bool isBackground, KvAccesses& accesses);
    void PutBack(uint32_t type, uint32_t count, bool isBackground, KvAccesses& accesses);
    void PutBackAll(KvAccesses& accesses);

    SlabAllocatorSettings m_settings;
    SlabDaemon m_daemon;
    std::vector<NicSlabStack> m_stacks; ///< By type.
    SlabAllocatorStats m_stats;
};

} // namespace ns3::rdma

#endif // FPGA_SLAB_ALLOCATOR_H
