// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/host-memory.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{
/// @return bytes from an address to the end of its page, or fewer if fewer are wanted.
std::size_t
CountInPage(uint64_t address, std::size_t wanted)
{
    return std::min<std::size_t>(wanted, HostMemory::PAGE_BYTES - address % HostMemory::PAGE_BYTES);
}
} // namespace

void
HostMemory::Write(uint64_t address, const uint8_t* bytes, std::size_t count)
{
    while (count > 0)
    {
        const std::size_t part = CountInPage(address, count);
        std::unique_ptr<Page>& page = m_pages[address / PAGE_BYTES];
        if (!page)
        {
            page = std::make_unique<Page>(); // All zeros.
        }
        std::copy_n(bytes, part, page->begin() + address % PAGE_BYTES);
        address += part;
        bytes += part;
        count -= part;
    }
}

void
HostMemory::Read(uint64_t address, uint8_t* bytes, std::size_t count) const
{
    while (count > 0)
    {
        const std::size_t part = CountInPage(address, count);
        const auto page = m_pages.find(address / PAGE_BYTES);
        if (page == m_pages.end())
        {
            std::fill_n(bytes, part, uint8_t{0});
        }
        else
        {
            std::copy_n(page->second->begin() + address % PAGE_BYTES, part, bytes);
        }
        address += part;
        bytes += part;
        count -= part;
    }
}

} // namespace ns3::rdma
