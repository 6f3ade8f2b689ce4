// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_GET_TABLE_H
#define FPGA_GET_TABLE_H

#include "ns3/get-kernel.h"
#include "ns3/host-memory.h"

#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup fpga-strom
 * @brief A hash table in a host's memory: entries of GetEntry, and behind them the values.
 *
 * The layout of StRoM section 5.2 and, with entries of 64 bytes, of section 6.2 (a table as in
 * Pilaf: entries of one size that point to values in a region of their own).  A key that finds its
 * entry full goes to the next one that has room (linear probing); nothing is ever taken out.  Both
 * papers leave collisions open.
 *
 * Values follow each other in the order of insertion, each at a multiple of 64 bytes.  The table
 * itself holds no bytes: address lookups need no memory.
 */
class GetTable
{
  public:
    /// @param base of its memory, a multiple of 64; @param keys that it will take
    /// @param occupancy of its buckets then, above 0 and at most 1; @param valueBytes at most, each
    GetTable(uint64_t base, uint64_t keys, double occupancy, uint32_t valueBytes);

    /// @return bytes of entries and values together.
    uint64_t GetBytes() const;

    /// Adds a key that is not there yet. @param memory null: it gets its place only
    /// @param value as long as the table's values at most, not empty
    /// @return its address; 0: the table is full.
    uint64_t Insert(HostMemory* memory, uint64_t key, const std::vector<uint8_t>& value);

    /// @return address of the entry in which a key may be. @param probe 0: of the first
    uint64_t GetEntryAddress(uint64_t key, uint32_t probe) const;

    /// @return entries that are to be looked at before a key is known to be absent.
    uint32_t GetMaxProbes() const
    {
        return m_maxProbes;
    }

    /// @return entries that were looked at, on average over the keys.
    double GetMeanProbes() const;

    uint64_t GetEntryCount() const
    {
        return m_used.size();
    }

    /// @return the bucket of a key; null if it is not in the entry.
    static const GetBucket* Find(const GetEntry& entry, uint64_t key);

  private:
    static constexpr uint64_t ALIGNMENT{64};

    uint64_t m_base;
    uint64_t m_valueStride;
    uint64_t m_capacity;         ///< Keys.
    std::vector<uint8_t> m_used; ///< Buckets, by entry.
    uint64_t m_keys{0};
    uint64_t m_probes{0}; ///< Of all keys together.
    uint32_t m_maxProbes{1};
};

} // namespace ns3::rdma

#endif // FPGA_GET_TABLE_H
