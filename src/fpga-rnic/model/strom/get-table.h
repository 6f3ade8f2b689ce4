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
 * @brief A hash table in a host's memory: entries of GetEntry, followed by the values.
 *
 * The layout is that of StRoM section 5.2 and, with entries of 64 bytes, of section 6.2 (a table as
 * in Pilaf: entries of one size point to values in a separate region).  If the entry of a key is
 * full, the key is stored in the next entry with room (linear probing).  Keys are never removed.
 * Neither paper specifies collisions.
 *
 * Values are stored in the order of insertion, each at a multiple of 64 bytes.  The object itself
 * holds no bytes, so address lookups need no memory.
 */
class GetTable
{
  public:
    /// @param base address of its memory, a multiple of 64
    /// @param keys capacity of the table
    /// @param occupancy of its buckets when it is full, above 0 and at most 1
    /// @param valueBytes largest size of a value
    GetTable(uint64_t base, uint64_t keys, double occupancy, uint32_t valueBytes);

    /// @return size of entries and values.
    uint64_t GetBytes() const;

    /// Adds a key that is not in the table.
    /// @param memory null: no bytes are written
    /// @param value not empty, at most valueBytes
    /// @return address of the value; 0 if the table is full.
    uint64_t Insert(HostMemory* memory, uint64_t key, const std::vector<uint8_t>& value);

    /// @param probe 0 for the first entry
    /// @return address of an entry that may hold a key.
    uint64_t GetEntryAddress(uint64_t key, uint32_t probe) const;

    /// @return entries to be read until a key is known to be absent.
    uint32_t GetMaxProbes() const
    {
        return m_maxProbes;
    }

    /// @return mean number of entries read per key.
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
    std::vector<uint8_t> m_used; ///< Used buckets, by entry.
    uint64_t m_keys{0};
    uint64_t m_probes{0}; ///< Of all keys together.
    uint32_t m_maxProbes{1};
};

} // namespace ns3::rdma

#endif // FPGA_GET_TABLE_H
