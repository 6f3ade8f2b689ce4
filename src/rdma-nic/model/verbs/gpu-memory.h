// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_GPU_MEMORY_H
#define RDMA_GPU_MEMORY_H

#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-verbs
 * @brief The memory of a host's GPU that peers on the bus may access: pinned pages, within the size
 * of its BAR (thesis, section 2.6).
 *
 * Memory is pinned in whole pages; each registration counts its own pages, since each has a
 * separate mapping in the BAR.  Addresses are virtual; GPU and host addresses differ (CUDA's
 * unified addressing).  All protection domains of the host share the object.
 *
 * This class has addresses only: GpuPath models the time of accesses, PayloadMemory holds the
 * bytes.
 */
class GpuMemory : public SimpleRefCount<GpuMemory>
{
  public:
    static constexpr uint32_t NO_PAGE{UINT32_MAX};

    /// @param barBytes size of the BAR
    /// @param pageBytes a power of two
    GpuMemory(uint64_t barBytes, uint64_t pageBytes);

    /// Pins the pages of a region. Throws a VerbsError if the BAR has no room for them.
    void Pin(uint64_t address, uint64_t length);

    /// Unpins the pages of a region that was pinned.
    void Unpin(uint64_t address, uint64_t length);

    /// @return the bytes of all pinned pages.
    uint64_t GetPinnedBytes() const
    {
        return m_pinnedPages * m_pageBytes;
    }

    /// @return the number of an address's page, counted from 0 over the pinned pages; NO_PAGE if it
    /// is not pinned. Numbers are valid until GetVersion() changes.
    uint32_t FindPage(uint64_t address) const;

    /// @return the number of pinned pages; a page of several regions counts once.
    uint32_t CountPages() const;

    /// @return the number of calls of Pin() and Unpin().
    uint64_t GetVersion() const
    {
        return m_version;
    }

  private:
    /// Pinned pages without a gap.
    struct Range
    {
        uint64_t firstPage;
        uint64_t endPage;
        uint32_t number; ///< Number of the first page.
    };

    std::pair<uint64_t, uint64_t> GetPages(uint64_t address, uint64_t length) const;
    void Number() const;

    uint64_t m_barBytes;
    uint64_t m_pageBytes;
    uint32_t m_pageShift;
    uint64_t m_pinnedPages{0};
    uint64_t m_version{0};
    /// Number of regions by first page and end.
    std::map<std::pair<uint64_t, uint64_t>, uint32_t> m_regions;

    // Computed from the regions on demand.
    mutable std::vector<Range> m_ranges; ///< In order.
    mutable std::size_t m_recent{0};     ///< Index of the range that was found last.
    mutable uint64_t m_numbered{0};      ///< Version of m_ranges.
};

} // namespace ns3::rdma

#endif // RDMA_GPU_MEMORY_H
