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
 * @brief KvStore's accesses without its bytes: a store of 64 GiB that needs no memory.
 *
 * All pairs have one size, and all keys exist.  A key's bucket is that of KvStore.  The number of
 * pairs that were stored before a key in its chain is drawn from the key's hash, with the
 * distribution of a filled KvStore.  For a key inserted after a share t of n pairs, this number is
 * Poisson distributed with mean t n / buckets.  The first bucket with room has the pair, so the
 * number determines the bucket of the chain.  The addresses of chained buckets and of pairs' slabs
 * are drawn from the same hash.
 *
 * Every access is counted and has an address, as in KvStore.  A value begins with the key's hash
 * and is zero behind it: batches of answers copy equal values, which those of different keys are
 * not.
 *
 * Not modelled: a common number of pairs for all keys of one bucket (it is correct on average
 * only); distinct addresses of slabs; false positives of the secondary hash (1 in 512); insertion,
 * removal and other lengths, which are refused as BAD_OPERAND; the allocator.
 */
class KvCountedStore final : public KvTable
{
  public:
    /// @param settings without fault
    /// @param pairs with room in the store
    KvCountedStore(const KvStoreSettings& settings, const KvPairsOfStore& pairs);

    KvStatus Visit(ByteView key, KvVisitor& visitor, KvAccesses& accesses) override;
    uint64_t GetHash(ByteView key) const override;

    uint64_t CountKeys() const
    {
        return m_pairs.count;
    }

    /// @return share of the memory that keys and values use.
    double GetMemoryUtilization() const;

  private:
    /// @param draw 64 random bits of a key
    /// @return number of pairs of the chain that were stored before the key.
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
