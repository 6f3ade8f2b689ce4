// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_HOPSCOTCH_TABLE_H
#define FPGA_HOPSCOTCH_TABLE_H

#include "ns3/counted-table.h"

#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup fpga-kv-direct
 * @brief Chained associative hopscotch hashing (FaRM, Dragojevic et al., NSDI 2014, section 5).
 *
 * A bucket has H/2 = 4 slots.  A key is in its bucket, in the next one, or in a chain of overflow
 * blocks of its bucket.  A get reads both adjacent buckets at once, then the blocks of the chain
 * one by one, and the value.
 *
 * If both buckets are full, an insertion searches the following buckets for a free slot, two
 * buckets per read.  It moves the free slot closer, bucket by bucket: a key moves into it from the
 * previous bucket, which must be that key's own.  If none can move, the new key is appended to the
 * chain.
 *
 * The search distance (64 buckets) and overflow blocks of four slots are ours; FaRM does not state
 * them.
 */
class HopscotchTable : public CountedTable
{
  public:
    static constexpr uint64_t MAX_DISTANCE{64}; ///< Buckets.

    explicit HopscotchTable(const CountedTableSettings& settings);

    AccessCounts Get(uint64_t key) const override;

  private:
    bool DoInsert(uint64_t key, AccessCounts& counts) override;
    bool HopCloser(uint64_t home, uint64_t key, AccessCounts& counts);
    bool AppendToChain(uint64_t home, uint64_t key, AccessCounts& counts);
    uint64_t* FindSlot(uint64_t bucket, uint64_t key);
    uint64_t* FindMovable(uint64_t bucket);
    uint64_t Wrap(uint64_t bucket) const;

    std::vector<uint64_t> m_slots;               ///< Keys, bucket by bucket.
    std::vector<std::vector<uint64_t>> m_chains; ///< Keys of the overflow blocks, by bucket.
};

} // namespace ns3::rdma

#endif // FPGA_HOPSCOTCH_TABLE_H
