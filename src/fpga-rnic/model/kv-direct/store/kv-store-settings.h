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

    /// Of one DMA.  Not in the paper; 16 entries are 64 bytes, 1/16 DMA per allocation, below its
    /// 0.07.
    uint32_t batchEntries{16};
    uint32_t nicLowWatermark{16};  ///< Fewer entries in a NIC-side stack: a batch is read. Ours.
    uint32_t nicHighWatermark{48}; ///< More: a batch is written. Ours.
    uint32_t hostLowWatermark{32}; ///< Fewer in a host-side stack: larger slabs are split. Ours.

    /// Entries that a split moves at most; a quarter of the larger stack if that is less. Ours.
    uint32_t splitEntries{256};

    /// Slabs are merged once this share of the dynamic memory is in a stack of smaller slabs than
    /// the largest; 1: only when an allocation finds nothing else.  Ours: the paper has a high
    /// watermark without its value.
    double hostHighWatermark{1.0};

    SlabMergeMethod mergeMethod{SlabMergeMethod::RADIX_SORT};
};

/// What a store is made with (KV-Direct, sections 3.3.1 and 3.3.2).
struct KvStoreSettings
{
    static constexpr uint64_t MAX_MEMORY_BYTES{uint64_t{64} << 30}; ///< 31 bits of 32-byte units.
    static constexpr uint32_t MAX_SLAB_BYTES{2048};

    uint64_t base{0}; ///< Address of the hash index, a multiple of 4096.

    /// Of hash index and slabs together: 8 KiB to 64 GiB.  The free slabs' stacks on the host lie
    /// behind: KvLayout::GetEnd().
    uint64_t memoryBytes{MAX_MEMORY_BYTES};
    double hashIndexRatio{0.5};   ///< Share of the memory that is hash index, above 0, below 1.
    uint32_t inlineThreshold{20}; ///< Bytes of key and value that are still inline; 0 to 50.
    uint32_t maxSlabBytes{512};   ///< 512 (the paper's), 1024 or 2048; longer vectors need more.
    uint64_t hashSeed{0};
    SlabAllocatorSettings allocator;

    /// @return what is wrong with the settings, in one line; nothing if they are good.
    std::optional<std::string> FindFault() const;
};

/**
 * @ingroup fpga-kv-direct
 * @brief Where the parts of a store lie: hash index, slabs, and the host's stacks of free slabs.
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

    /// @return the largest slab has 32 << that many bytes.
    uint32_t GetMaxType() const
    {
        return m_maxType;
    }

    uint64_t GetStackAddress(uint32_t type) const;
    uint32_t GetStackEntries(uint32_t type) const; ///< Room of a stack.

    /// @return the first address behind all of it: what the owner has to reserve.
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
