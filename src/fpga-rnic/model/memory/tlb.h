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
    uint64_t pieces{0}; ///< Parts into which commands were split.
    uint64_t faults{0}; ///< Commands with a page that is not pinned.
};

/**
 * @ingroup fpga-memory
 * @brief The table of a host's pinned pages, all on the chip (StRoM section 4.3).
 *
 * An entry is a page that the driver has pinned, by default of 2 MiB.  Entries are never evicted,
 * so accesses to pinned memory never miss.  A command that crosses a page border is split there,
 * since consecutive virtual pages need not be consecutive in physical memory.  A command to a page
 * that is not pinned is a fault: the hardware cannot load the page.
 *
 * Not modelled: physical addresses of pages; the driver's time to fill an entry.
 */
class Tlb : public Object, public AddressTranslator
{
  public:
    static TypeId GetTypeId();

    /// Pins all pages of a memory range. Pages that are already pinned remain pinned.
    /// @param bytes at least 1
    /// @return false, with no page pinned, if there are too few entries or the range wraps around.
    bool Pin(uint64_t address, uint64_t bytes);

    /// Unpins all pages of a memory range.
    /// @param bytes at least 1
    void Unpin(uint64_t address, uint64_t bytes);

    /// @param bytes at least 1
    /// @return whether the whole range is pinned.
    bool IsPinned(uint64_t address, uint64_t bytes) const;

    DmaPieces Translate(Tick now, uint64_t address, uint32_t bytes) override;

    /// @return the number of pinned pages.
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
    std::unordered_set<uint64_t> m_pages; ///< Pinned pages by number. Never iterated.
    TlbStats m_stats;
};

} // namespace ns3::rdma

#endif // FPGA_TLB_H
