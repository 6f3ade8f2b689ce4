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
 * @brief The memory of a host's GPU that peers on the bus may reach: what is pinned, within the
 * size of its BAR (thesis, section 2.6).
 *
 * Memory is pinned in whole pages; each registration has pages of its own, as each has a mapping of
 * its own in the BAR.  Addresses are virtual, those of a GPU are no host's (CUDA's unified
 * addressing).  Shared by all protection domains of the host.
 *
 * Addresses only: how long an access takes is GpuPath's part, bytes are PayloadMemory's.
 */
class GpuMemory : public SimpleRefCount<GpuMemory>
{
  public:
    static constexpr uint32_t NO_PAGE{UINT32_MAX};

    /// @param barBytes reachable at once; @param pageBytes a power of two
    GpuMemory(uint64_t barBytes, uint64_t pageBytes);

    /// Pins the pages of a region. Throws a VerbsError if the BAR has no room for them.
    void Pin(uint64_t address, uint64_t length);

    /// Of a region that was pinned.
    void Unpin(uint64_t address, uint64_t length);

    /// @return bytes of pages that are pinned.
    uint64_t GetPinnedBytes() const
    {
        return m_pinnedPages * m_pageBytes;
    }

    uint64_t GetPageBytes() const
    {
        return m_pageBytes;
    }

    /// @return a number of the page of an address, dense from 0 on; NO_PAGE if it is not pinned.
    /// Numbers change with GetVersion().
    uint32_t FindPage(uint64_t address) const;

    /// @return pages that are pinned, those of several regions counted once.
    uint32_t CountPages() const;

    /// @return how often regions have come and gone.
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
        uint32_t number; ///< Of the first one.
    };

    std::pair<uint64_t, uint64_t> GetPages(uint64_t address, uint64_t length) const;
    void Number() const;

    uint64_t m_barBytes;
    uint64_t m_pageBytes;
    uint32_t m_pageShift;
    uint64_t m_pinnedPages{0};
    uint64_t m_version{0};
    /// Regions by first page and end, with how many there are.
    std::map<std::pair<uint64_t, uint64_t>, uint32_t> m_regions;

    // Made from the regions when a page is asked for.
    mutable std::vector<Range> m_ranges; ///< In order.
    mutable std::size_t m_recent{0};     ///< Of the page found last.
    mutable uint64_t m_numbered{0};      ///< Version that the ranges are of.
};

} // namespace ns3::rdma

#endif // RDMA_GPU_MEMORY_H
