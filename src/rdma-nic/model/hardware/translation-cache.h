// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_TRANSLATION_CACHE_H
#define RDMA_TRANSLATION_CACHE_H

#include "ns3/context-cache.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-hardware
 * @brief Entries of the memory translation table (MTT) on the chip; others are fetched over PCIe.
 *
 * SRNIC section 3.2.1: a table in host memory has an entry per page, and the chip keeps a part of
 * it.  A fetch brings adjacent entries, so that memory used in order misses once per
 * EntriesPerFetch pages.  Fetched lines are stored by page number in sets of Ways; the least
 * recently used line of a set is evicted.  A request for a line that is being fetched ends with
 * that fetch and counts as a hit.
 *
 * Not modelled: more than one level of tables, protection keys, the host's IOMMU, a limit of
 * outstanding misses other than PCIe's tags.
 */
class TranslationCache : public Object
{
  public:
    static TypeId GetTypeId();

    /// @return the fault of the attributes; empty if there is none.
    std::string FindFault() const;

    /// Called once, first. Throws a VerbsError if there is a fault. @param pcie outlives the cache
    void Start(PcieLink& pcie);

    /// Translates a piece of memory. @return when all its pages are known: now, if all hit.
    Tick Access(Tick now, uint64_t address, uint32_t bytes);

    const CacheStats& GetStats() const
    {
        return m_stats;
    }

  private:
    /// Adjacent entries of the table, fetched by one read.
    struct Line
    {
        uint64_t number{UINT64_MAX};
        Tick ready{0}; ///< When it is on the chip.
    };

    Tick Look(Tick now, uint64_t number);
    Line* FindSet(uint64_t number);

    // Attributes.
    uint32_t m_entries{0}; ///< 0: the whole table is on the chip.
    uint64_t m_pageBytes{0};
    uint32_t m_entryBytes{0};
    uint32_t m_entriesPerFetch{0};
    uint32_t m_maxWays{0};

    PcieLink* m_pcie{nullptr};
    uint32_t m_pageShift{0};
    uint32_t m_ways{0};
    std::vector<uint32_t> m_sets; ///< Index of the first line of each set; NONE until it is used.
    std::vector<Line> m_lines;    ///< In each set the newest first.
    CacheStats m_stats;
};

} // namespace ns3::rdma

#endif // RDMA_TRANSLATION_CACHE_H
