// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/gpu-memory.h"

#include "ns3/assert.h"
#include "ns3/verbs-error.h"

#include <algorithm>
#include <string>

namespace ns3::rdma
{

GpuMemory::GpuMemory(uint64_t barBytes, uint64_t pageBytes)
    : m_barBytes(barBytes),
      m_pageBytes(pageBytes),
      m_pageShift(static_cast<uint32_t>(__builtin_ctzll(pageBytes)))
{
    NS_ASSERT_MSG((pageBytes & (pageBytes - 1)) == 0, "pages are powers of two");
}

std::pair<uint64_t, uint64_t>
GpuMemory::GetPages(uint64_t address, uint64_t length) const
{
    return {address >> m_pageShift, ((address + (length - 1)) >> m_pageShift) + 1};
}

void
GpuMemory::Pin(uint64_t address, uint64_t length)
{
    if (length == 0)
    {
        throw VerbsError("a region of GPU memory has at least 1 byte");
    }
    const auto pages = GetPages(address, length);
    const uint64_t count = pages.second - pages.first;
    const uint64_t free = m_barBytes / m_pageBytes - m_pinnedPages;
    if (count > free)
    {
        throw VerbsError("a region of " + std::to_string(length) + " bytes of GPU memory needs " +
                         std::to_string(count) + " pages of " + std::to_string(m_pageBytes) +
                         " bytes; of the BAR's " + std::to_string(m_barBytes) + " bytes " +
                         std::to_string(free) + " pages are free");
    }
    m_pinnedPages += count;
    ++m_regions[pages];
    ++m_version;
}

void
GpuMemory::Unpin(uint64_t address, uint64_t length)
{
    const auto pages = GetPages(address, length);
    const auto found = m_regions.find(pages);
    NS_ASSERT_MSG(found != m_regions.end(), "GPU memory that was not pinned");
    m_pinnedPages -= pages.second - pages.first;
    ++m_version;
    if (--found->second == 0)
    {
        m_regions.erase(found);
    }
}

void
GpuMemory::Number() const
{
    m_ranges.clear();
    m_recent = 0;
    uint32_t next = 0;
    for (const auto& [pages, count] : m_regions)
    {
        if (m_ranges.empty() || pages.first > m_ranges.back().endPage)
        {
            if (!m_ranges.empty())
            {
                const Range& last = m_ranges.back();
                next = last.number + static_cast<uint32_t>(last.endPage - last.firstPage);
            }
            m_ranges.push_back({pages.first, pages.second, next});
        }
        m_ranges.back().endPage = std::max(m_ranges.back().endPage, pages.second);
    }
    m_numbered = m_version;
}

uint32_t
GpuMemory::FindPage(uint64_t address) const
{
    if (m_numbered != m_version)
    {
        Number();
    }
    if (m_ranges.empty())
    {
        return NO_PAGE;
    }
    const uint64_t page = address >> m_pageShift;
    const auto holds = [page](const Range& range) {
        return page >= range.firstPage && page < range.endPage;
    };
    if (!holds(m_ranges[m_recent]))
    {
        const auto behind = std::upper_bound(
            m_ranges.begin(),
            m_ranges.end(),
            page,
            [](uint64_t value, const Range& range) { return value < range.firstPage; });
        if (behind == m_ranges.begin() || !holds(*(behind - 1)))
        {
            return NO_PAGE;
        }
        m_recent = static_cast<std::size_t>(behind - m_ranges.begin()) - 1;
    }
    const Range& range = m_ranges[m_recent];
    return range.number + static_cast<uint32_t>(page - range.firstPage);
}

uint32_t
GpuMemory::CountPages() const
{
    if (m_numbered != m_version)
    {
        Number();
    }
    return m_ranges.empty()
               ? 0
               : m_ranges.back().number +
                     static_cast<uint32_t>(m_ranges.back().endPage - m_ranges.back().firstPage);
}

} // namespace ns3::rdma
