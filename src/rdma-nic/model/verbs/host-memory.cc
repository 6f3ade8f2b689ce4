// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/host-memory.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{
/// @return the bytes from an address to the end of its page, at most wanted.
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
        std::copy_n(bytes, part, GetPage(address).begin() + address % PAGE_BYTES);
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
        const Table* table = FindTable(address);
        const Page* page =
            table == nullptr ? nullptr : (*table)[address / PAGE_BYTES % TABLE_PAGES].get();
        if (page == nullptr)
        {
            std::fill_n(bytes, part, uint8_t{0});
        }
        else
        {
            std::copy_n(page->begin() + address % PAGE_BYTES, part, bytes);
        }
        address += part;
        bytes += part;
        count -= part;
    }
}

HostMemory::Table*
HostMemory::FindTable(uint64_t address) const
{
    const uint64_t number = address / (PAGE_BYTES * TABLE_PAGES);
    Recent& recent = m_recent[number % RECENT_TABLES];
    if (recent.table == nullptr || recent.number != number)
    {
        const auto place = m_tables.find(number);
        if (place == m_tables.end())
        {
            return nullptr;
        }
        recent = {number, place->second.get()};
    }
    return recent.table;
}

HostMemory::Page&
HostMemory::GetPage(uint64_t address)
{
    Table* table = FindTable(address);
    if (table == nullptr)
    {
        auto added = std::make_unique<Table>();
        table = added.get();
        m_tables.emplace(address / (PAGE_BYTES * TABLE_PAGES), std::move(added));
    }
    std::unique_ptr<Page>& page = (*table)[address / PAGE_BYTES % TABLE_PAGES];
    if (!page)
    {
        page = std::make_unique<Page>(); // All zeros.
    }
    return *page;
}

} // namespace ns3::rdma
