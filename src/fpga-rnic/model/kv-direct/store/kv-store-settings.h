// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_KV_STORE_SETTINGS_H
#define FPGA_KV_STORE_SETTINGS_H

#include "ns3/slab-merging.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ns3::rdma
{

/// How the NIC and the host exchange free slabs (KV-Direct, section 4 and Figure 8).
struct SlabAllocatorSettings
{
    static constexpr uint32_t MAX_NIC_ENTRIES{256};

    /// Of one DMA. Not in the paper; 16 entries are 64 bytes and cost 1/16 DMA per allocation,
    /// below the paper's 0.07.
    uint32_t batchEntries{16};
    /// A batch is read if a NIC-side stack has fewer entries. Ours.
    uint32_t nicLowWatermark{16};
    /// A batch is written if a NIC-side stack has more entries. Ours.
    uint32_t nicHighWatermark{48};
    /// Larger slabs are split if a host-side stack has fewer entries. Ours.
    uint32_t hostLowWatermark{32};

    /// Largest number of entries that a split moves; a quarter of the larger stack if that is less.
    /// Ours.
    uint32_t splitEntries{256};

    /// Slabs are merged when a stack, except that of the largest slabs, has more than this share of
    /// the dynamic memory. 1: only when an allocation finds no slab. Ours: the paper gives no value
    /// of its high watermark.
    double hostHighWatermark{1.0};

    SlabMergeMethod mergeMethod{SlabMergeMethod::RADIX_SORT};
};

/// Settings of a store (KV-Direct, sections 3.3.1 and 3.3.2).
struct KvStoreSettings
{
    static constexpr uint64_t MAX_MEMORY_BYTES{uint64_t{64} << 30}; ///< 31 bits of 32-byte units.
    static constexpr uint32_t MAX_SLAB_BYTES{2048};

    uint64_t base{0}; ///< Address of the hash index, a multiple of 4096.

    /// Of hash index and slabs together: 8 KiB to 64 GiB. The free slabs' stacks on the host
    /// follow, up to KvLayout::GetEnd().
    uint64_t memoryBytes{MAX_MEMORY_BYTES};
    double hashIndexRatio{0.5};   ///< Share of the memory that is hash index, above 0, below 1.
    uint32_t inlineThreshold{20}; ///< Largest inline pair, bytes of key and value; 0 to 50.
    uint32_t maxSlabBytes{512};   ///< 512 (the paper's), 1024 or 2048; longer vectors need more.
    uint64_t hashSeed{0};
    SlabAllocatorSettings allocator;

    /// @return one line that describes a fault; unset if there is none.
    std::optional<std::string> FindFault() const;
};

/**
 * @ingroup fpga-kv-direct
 * @brief The addresses of a store's parts: hash index, slabs, and the host's stacks of free slabs.
 *
 * Slabs begin at a multiple of the largest slab.  Units count 32 bytes from the base.
 */
class KvLayout
{
  public:
    explicit KvLayout(const KvStoreSettings& settings);

    uint64_t GetBuckets() const
    {
        return m_buckets;
    }

    /// @return address of the dynamic memory, relative to the base in units of 32 bytes
    uint32_t GetFirstUnit() const
    {
        return m_firstUnit;
    }

    /// @return units of the dynamic memory, a multiple of the largest slab.
    uint32_t GetUnits() const
    {
        return m_units;
    }

    /// @return type of the largest slab, which has 32 << type bytes.
    uint32_t GetMaxType() const
    {
        return m_maxType;
    }

    uint64_t GetStackAddress(uint32_t type) const;
    uint32_t GetStackEntries(uint32_t type) const; ///< Capacity of a stack.

    /// @return the first address after all parts; the owner reserves the memory before it.
    uint64_t GetEnd() const;

  private:
    uint64_t m_base;
    uint64_t m_buckets;
    uint64_t m_stackBase;
    uint32_t m_firstUnit{0};
    uint32_t m_units{0};
    uint32_t m_maxType;
};

} // namespace ns3::rdma

#endif // FPGA_KV_STORE_SETTINGS_H
