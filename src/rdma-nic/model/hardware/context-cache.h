// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_CONTEXT_CACHE_H
#define RDMA_CONTEXT_CACHE_H

#include "ns3/object.h"
#include "ns3/pcie-link.h"
#include "ns3/slot-table.h"

#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/// Counts of one cache. Each access is a hit or a miss.
struct CacheStats
{
    uint64_t hits{0};
    uint64_t misses{0};
    uint64_t stalls{0}; ///< Misses that were delayed because too many were in flight.
};

/**
 * @ingroup rdma-hardware
 * @brief Queue pair contexts on the chip; others are fetched from host memory over PCIe.
 *
 * Misses slow down commercial NICs with many queue pairs (SRNIC section 2.2, Figures 2 and 9).  A
 * miss reads the context, and writes back the evicted one.  The number of fetches in flight is
 * limited: a further miss starts when the oldest fetch ends.  A request for a context that is being
 * fetched ends with that fetch and counts as a hit.
 *
 * Not modelled: other data that shares this memory on a real chip (completion queue contexts),
 * contexts that cannot be evicted because a packet uses them, prefetching.
 */
class ContextCache : public Object
{
  public:
    static TypeId GetTypeId();

    /// Called once, first. @param pcie outlives the cache; @param stream random numbers of this
    /// cache
    void Start(PcieLink& pcie, RandomStream stream);

    /// @return whether all contexts are on the chip: Access() always returns now.
    bool HoldsAll() const
    {
        return m_entries == 0;
    }

    /// Uses a context. @param queuePair small and dense, see QueuePairTable::GetPlace()
    /// @return when it is on the chip: now, if it is a hit.
    Tick Access(Tick now, uint32_t queuePair)
    {
        if (m_entries == 0)
        {
            return now;
        }
        // One bit per queue pair: most packets need one load from a short table.
        const std::size_t word = queuePair / BITS;
        if (word < m_settled.size() && ((m_settled[word] >> (queuePair % BITS)) & 1) != 0)
        {
            ++m_stats.hits;
            return now;
        }
        return Look(now, queuePair);
    }

    /// The queue pair is destroyed: frees its entry.
    void Forget(uint32_t queuePair);

    const CacheStats& GetStats() const
    {
        return m_stats;
    }

  private:
    Tick Look(Tick now, uint32_t queuePair);

    Tick Fetch(Tick now);
    void Evict(Tick now);
    void Settle(uint32_t queuePair);
    void Unsettle(uint32_t queuePair);

    static constexpr uint32_t BITS{64};

    CacheStats m_stats;
    std::vector<uint64_t> m_settled; ///< Bits: on the chip, and an access changes no state.

    // Attributes.
    uint32_t m_entries{0}; ///< 0: all contexts are on the chip.
    uint32_t m_entryBytes{0};
    uint32_t m_maxMisses{0};
    bool m_isRandom{false};
    bool m_writesBack{false};

    PcieLink* m_pcie{nullptr};
    RandomStream m_random;
    SlotTable m_slots;
    std::vector<Tick> m_ready;  ///< By slot: when its context is on the chip.
    std::vector<Tick> m_misses; ///< Ends of the newest misses, a ring.
    std::size_t m_oldestMiss{0};
};

} // namespace ns3::rdma

#endif // RDMA_CONTEXT_CACHE_H
