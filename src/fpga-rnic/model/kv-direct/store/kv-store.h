// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_KV_STORE_H
#define FPGA_KV_STORE_H

#include "ns3/kv-access.h"
#include "ns3/kv-bucket.h"
#include "ns3/kv-slab-pair.h"
#include "ns3/kv-store-settings.h"
#include "ns3/kv-table.h"
#include "ns3/payload-memory.h"
#include "ns3/slab-allocator.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/// Content of a store, and counts of its operations.
struct KvStoreStats
{
    uint64_t keys{0};
    uint64_t pairBytes{0};      ///< Keys and values, without padding and metadata.
    uint64_t inlineKeys{0};     ///< Keys in the hash index.
    uint64_t chainedBuckets{0}; ///< In use.
    uint64_t falsePositives{0}; ///< Slabs of another key, read because of an equal secondary hash.
};

/**
 * @ingroup fpga-kv-direct
 * @brief KV-Direct's hash table and slabs in a memory, with every access counted (section 3.3).
 *
 * A hash index has buckets with chaining.  Pairs up to a threshold are inline in the buckets, all
 * others in slabs; chained buckets are slabs of 64 bytes.  A pair is stored in the first bucket of
 * its chain that has room for the whole pair.  An update replaces the old value in its place if it
 * fits.  A chained bucket that becomes empty is removed from the chain.
 *
 * Operations take no time: an operation is executed at once, and its accesses are returned to the
 * caller, which can time them.  This is correct if operations on one bucket chain do not overlap.
 * The reservation station ensures it: its slot is the lowest bits of GetHash(), and so of the
 * bucket's number.
 *
 * After the longest chain has been read, an operation allocates nothing on the heap of the
 * simulation.
 */
class KvStore final : public KvTable
{
  public:
    static constexpr uint32_t MAX_KEY_BYTES{KvSlabPair::MAX_KEY_BYTES};

    /// Creates an empty store.
    /// @param settings without fault
    /// @param memory outlives the store; the hash index must be zero, as in memory never written
    KvStore(const KvStoreSettings& settings, PayloadMemory& memory);

    KvStatus Visit(ByteView key, KvVisitor& visitor, KvAccesses& accesses) override;
    uint64_t GetHash(ByteView key) const override;

    const KvStoreSettings& GetSettings() const
    {
        return m_settings;
    }

    const KvLayout& GetLayout() const
    {
        return m_layout;
    }

    const KvStoreStats& GetStats() const
    {
        return m_stats;
    }

    const SlabAllocator& GetAllocator() const
    {
        return m_allocator;
    }

    /// @return share of the memory that keys and values use. Section 3.3.1 prefers it to the load
    /// factor because it states how much a given memory holds.
    double GetMemoryUtilization() const;

    /// @return primary buckets by the length of their chain, index 0 unused. Reads all buckets.
    std::vector<uint64_t> CountChainLengths() const;

  private:
    /// A bucket of the chain that an operation follows.
    struct Link
    {
        uint32_t unit{0}; ///< Address in units of 32 bytes.
        bool isChanged{false};
        KvBucket bucket;
    };

    /// The position of an operation's key.
    struct Found
    {
        bool isThere{false};
        std::size_t keyBytes{0};
        std::size_t link{0};
        KvBucket::Item item;
        KvBucket::Pointer pointer; ///< Of a pair that is not inline.
        ByteView value;
    };

    static constexpr std::size_t NO_LINK{SIZE_MAX};

    uint64_t GetAddress(uint32_t unit) const;

    Link& AddLink(uint32_t unit);
    void LoadLink(uint32_t unit, KvAccesses& accesses);
    bool LoadNext(KvAccesses& accesses);
    void Find(ByteView key, uint64_t hash, KvAccesses& accesses);
    bool FindInLink(ByteView key, uint32_t secondary, KvAccesses& accesses);
    bool ReadSlab(ByteView key, const KvBucket::Pointer& pointer, KvAccesses& accesses);

    KvStatus Store(ByteView key, uint64_t hash, ByteView value, KvAccesses& accesses);
    KvStatus StoreInline(ByteView key, ByteView value, KvAccesses& accesses);
    KvStatus StoreInSlab(ByteView key, uint64_t hash, ByteView value, KvAccesses& accesses);
    std::size_t FindRoom(uint32_t slots, KvAccesses& accesses);
    std::size_t AppendLink(KvAccesses& accesses);
    void WriteSlab(const KvSlabPair& pair, const KvBucket::Pointer& pointer, KvAccesses& accesses);
    void FinishStore(std::size_t pairBytes, KvAccesses& accesses);
    KvStatus Remove(KvAccesses& accesses);
    void TakeOut();
    void FreeOldSlab(KvAccesses& accesses);
    void WriteLinks(KvAccesses& accesses);

    KvStoreSettings m_settings;
    KvLayout m_layout;
    PayloadMemory& m_memory;
    SlabAllocator m_allocator;
    KvStoreStats m_stats;

    // State of the operation in progress.
    std::vector<Link> m_links; ///< The chain as far as it is loaded; further ones are spare.
    std::size_t m_linkCount{0};
    Found m_found;
    std::array<uint8_t, KvStoreSettings::MAX_SLAB_BYTES> m_slab{};    ///< As read.
    std::array<uint8_t, KvStoreSettings::MAX_SLAB_BYTES> m_newSlab{}; ///< To be written.
};

} // namespace ns3::rdma

#endif // FPGA_KV_STORE_H
