// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_CUCKOO_TABLE_H
#define FPGA_CUCKOO_TABLE_H

#include "ns3/counted-table.h"
#include "ns3/random-stream.h"

#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup fpga-kv-direct
 * @brief Bucketized cuckoo hashing, 2 hash functions and 4 slots (MemC3, Fan et al., NSDI 2013).
 *
 * A get reads the first bucket, the second one if the key is not in the first, and the value.  An
 * insertion reads both.  If they are full, it moves a random key of the second to that key's other
 * bucket, and so on: each step reads and writes one bucket.  After 500 steps the table is full.
 * This limit is ours; MemC3 searches several such paths at a time and reaches the same occupancy.
 */
class CuckooTable : public CountedTable
{
  public:
    static constexpr uint32_t MAX_MOVES{500};

    explicit CuckooTable(const CountedTableSettings& settings);

    AccessCounts Get(uint64_t key) const override;

  private:
    bool DoInsert(uint64_t key, AccessCounts& counts) override;
    bool Place(uint64_t bucket, uint64_t key);
    bool Displace(uint64_t bucket, uint64_t key, AccessCounts& counts);
    uint64_t GetOtherBucket(uint64_t key, uint64_t bucket) const;

    std::vector<uint64_t> m_slots;   ///< Keys, bucket by bucket.
    std::vector<std::size_t> m_path; ///< Slots of the displacement in progress.
    RandomStream m_random;
};

} // namespace ns3::rdma

#endif // FPGA_CUCKOO_TABLE_H
