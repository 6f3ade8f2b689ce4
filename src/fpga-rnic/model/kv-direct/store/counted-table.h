// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_COUNTED_TABLE_H
#define FPGA_COUNTED_TABLE_H

#include <cstdint>
#include <optional>
#include <string>

namespace ns3::rdma
{

/// Memory accesses of an operation: DMA requests of any length.
struct AccessCounts
{
    uint32_t reads{0};
    uint32_t writes{0};

    uint32_t GetSum() const
    {
        return reads + writes;
    }
};

/// Settings of a table that is compared with KV-Direct's.
struct CountedTableSettings
{
    uint64_t memoryBytes{1 << 24};
    double hashIndexRatio{0.5}; ///< Share of the memory that is hash index, above 0, below 1.
    uint32_t keyBytes{5};       ///< 1 to 255, in the slot.
    uint32_t valueBytes{5};     ///< 1 at least, in a slab of the next power of two.
    uint64_t seed{1};

    /// @return one line that describes a fault; unset if there is none.
    std::optional<std::string> FindFault() const;
};

/**
 * @ingroup fpga-kv-direct
 * @brief A hash table that is compared with KV-Direct's in Figure 11: counts accesses, holds no
 * bytes.
 *
 * It follows section 5.1.1.  Keys are inline in the slots, and the keys of a bucket are compared in
 * parallel; values are in slabs of dynamic memory.  A slot has a key and a pointer of 4 bytes, of
 * which 31 bits are used.  A bucket has four slots, as in MemC3 and, with H = 8, in FaRM.  The
 * smallest slab is 1 byte, not KV-Direct's 32: with 32, pairs of 10 bytes could fill at most a
 * quarter of the memory, but the paper has 55 %.
 *
 * Keys are numbers; a key is inserted once.  Accesses of the allocator are not counted.
 */
class CountedTable
{
  public:
    static constexpr uint32_t SLOTS{4};
    static constexpr uint32_t POINTER_BYTES{4};

    explicit CountedTable(const CountedTableSettings& settings);
    virtual ~CountedTable() = default;

    /// @param key not in the table
    /// @param counts set to those of this operation
    /// @return whether there was room; if not, nothing has changed
    bool Insert(uint64_t key, AccessCounts& counts);

    /// @param key in the table
    virtual AccessCounts Get(uint64_t key) const = 0;

    /// @return share of the memory that keys and values use.
    double GetMemoryUtilization() const;

  protected:
    static constexpr uint64_t NO_KEY{UINT64_MAX};

    uint64_t GetBuckets() const
    {
        return m_buckets;
    }

    /// @param which number of the hash function
    /// @return the key's bucket.
    uint64_t GetBucket(uint64_t key, uint32_t which) const;

    /// @param slots of a chained block
    /// @return whether there was room in the dynamic memory.
    bool AllocateBlock(uint32_t slots);

  private:
    /// Stores a key in a slot, in the way of the subclass.
    virtual bool DoInsert(uint64_t key, AccessCounts& counts) = 0;

    CountedTableSettings m_settings;
    uint64_t m_buckets;
    uint64_t m_freeBytes; ///< Of the dynamic memory.
    uint64_t m_valueSlab; ///< Bytes.
    uint64_t m_keys{0};
};

} // namespace ns3::rdma

#endif // FPGA_COUNTED_TABLE_H
