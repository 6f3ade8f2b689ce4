// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_KV_COUNTED_STORE_H
#define FPGA_KV_COUNTED_STORE_H

#include "ns3/kv-store-settings.h"
#include "ns3/kv-table.h"

#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/// Pairs of one size.
struct KvPairsOfStore
{
    uint64_t count{1};
    uint32_t keyBytes{8};
    uint32_t valueBytes{8};
};

/**
 * @ingroup fpga-kv-direct
 * @brief KvStore's accesses without its bytes: a store of 64 GiB that takes no memory.
 *
 * All pairs have one size, and all keys are there.  A key's bucket is that of KvStore.  The pairs
 * that were stored before it in its chain are drawn from the key's hash, with the distribution that
 * KvStore's filling has: a key that came at the share t of n pairs finds a number of them that is
 * Poisson distributed with mean t n / buckets.  The first bucket with room has the pair, so this
 * number gives the bucket of the chain.  The slabs of chained buckets and of pairs are at addresses
 * drawn from the same hash.
 *
 * Every access is counted and has an address, as KvStore's; values are zero whatever was stored.
 *
 * Not modelled: the keys of one bucket agree on how many there are only on average; slabs may fall
 * together; false positives of the secondary hash (1 in 512); insertion, removal and other lengths,
 * which are refused as BAD_OPERAND; the allocator.
 */
class KvCountedStore final : public KvTable
{
  public:
    /// @param settings without fault @param pairs with room in the store
    KvCountedStore(const KvStoreSettings& settings, const KvPairsOfStore& pairs);

    KvStatus Visit(ByteView key, KvVisitor& visitor, KvAccesses& accesses) override;
    uint64_t GetHash(ByteView key) const override;

    uint64_t CountKeys() const
    {
        return m_pairs.count;
    }

    /// @return keys and values over all of the memory.
    double GetMemoryUtilization() const;

  private:
    /// @return pairs of the chain that were stored before a key. @param draw 64 random bits of it
    uint32_t DrawPosition(uint64_t draw) const;
    uint64_t DrawSlab(uint64_t draw, uint32_t type) const;

    KvStoreSettings m_settings;
    KvLayout m_layout;
    KvPairsOfStore m_pairs;
    bool m_isInline;
    uint32_t m_pairsPerBucket;
    uint32_t m_slabType; ///< Of pairs that are not inline.
    double m_load;       ///< Pairs per primary bucket.
    std::vector<uint8_t> m_value;
};

} // namespace ns3::rdma

#endif // FPGA_KV_COUNTED_STORE_H
