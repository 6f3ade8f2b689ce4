// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_TLB_H
#define FPGA_TLB_H

#include "ns3/address-translator.h"
#include "ns3/clocked-entry.h"
#include "ns3/object.h"

#include <cstdint>
#include <unordered_set>

namespace ns3::rdma
{

/// Counts of a TLB.
struct TlbStats
{
    uint64_t commands{0};
    uint64_t pieces{0}; ///< That commands were split into.
    uint64_t faults{0}; ///< Commands with a page that is not pinned.
};

/**
 * @ingroup fpga-memory
 * @brief The addresses of a host's pinned pages, all on the chip (StRoM section 4.3).
 *
 * An entry is a page of 2 MiB that the driver has pinned; it is never evicted, so memory that may
 * be used at all never misses.  A command that crosses a page border is split there, since pages
 * that follow each other in virtual memory need not do so in physical memory.  One with a page that
 * is not pinned is a fault: the hardware cannot load it.
 *
 * Not modelled: where pages are in physical memory; the driver's time to fill an entry.
 */
class Tlb : public Object, public AddressTranslator
{
  public:
    static TypeId GetTypeId();

    /// Pins all pages of a piece of memory; pages that are pinned stay so. @param bytes at least 1
    /// @return false, and nothing is pinned, if there are too few entries or the piece wraps
    /// around.
    bool Pin(uint64_t address, uint64_t bytes);

    /// Forgets all pages of a piece of memory. @param bytes at least 1
    void Unpin(uint64_t address, uint64_t bytes);

    /// @return whether all of it is pinned. @param bytes at least 1
    bool IsPinned(uint64_t address, uint64_t bytes) const;

    DmaPieces Translate(Tick now, uint64_t address, uint32_t bytes) override;

    /// @return pages that are pinned.
    std::size_t GetUsed() const;

    uint64_t GetPageBytes() const;

    const TlbStats& GetStats() const
    {
        return m_stats;
    }

  private:
    bool HasPage(uint64_t page) const;

    uint32_t m_entries{0};
    uint64_t m_pageBytes{0};
    uint64_t m_frequency{0};
    uint32_t m_latency{0};
    uint32_t m_interval{0};
    ClockedEntry m_lookUps;
    std::unordered_set<uint64_t> m_pages; ///< By number. Never iterated.
    TlbStats m_stats;
};

} // namespace ns3::rdma

#endif // FPGA_TLB_H
