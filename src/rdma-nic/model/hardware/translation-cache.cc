// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/translation-cache.h"

#include "ns3/assert.h"
#include "ns3/type-attributes.h"
#include "ns3/verbs-error.h"

#include <algorithm>
#include <array>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(TranslationCache);

namespace
{
constexpr std::array<uint32_t, 3> PAGE_SHIFTS{12, 21, 30}; ///< Of the pages that hosts have.
} // namespace

TypeId
TranslationCache::GetTypeId()
{
    static TypeId tid =
        TypeAttributes::Of<TranslationCache, Object>("ns3::rdma::TranslationCache", "RdmaNic")
            .Add("CacheEntries",
                 Member(&TranslationCache::m_entries, 157286, 0, 1 << 28),
                 "Entries of the table on the chip; 0: all of them (157286: 1.2 MiB, SRNIC Table "
                 "1, of 8 B each)")
            .Add("PageSize",
                 Member(&TranslationCache::m_pageBytes, 4096, 4096, 1 << 30),
                 "Size of a page of host memory, bytes: 4096 (SRNIC section 3.2.1), 2 MiB or 1 GiB")
            .Add("EntryBytes",
                 Member(&TranslationCache::m_entryBytes, 8, 1, 64),
                 "Size of an entry, bytes (8: SRNIC section 3.2.1)")
            .Add(
                "EntriesPerFetch",
                Member(&TranslationCache::m_entriesPerFetch, 8, 1, 512),
                "Adjacent entries that one read brings (8: a cache line of the host; our estimate)")
            .Add("Ways",
                 Member(&TranslationCache::m_maxWays, 8, 1, 64),
                 "Fetches that compete for the same place, the one used longest ago makes room (8: "
                 "our estimate)");
    return tid;
}

std::string
TranslationCache::FindFault() const
{
    const auto isPage = [this](uint32_t shift) { return m_pageBytes == uint64_t{1} << shift; };
    if (std::any_of(PAGE_SHIFTS.begin(), PAGE_SHIFTS.end(), isPage))
    {
        return {};
    }
    return "ns3::rdma::TranslationCache::PageSize: expected 4096 (4 KiB), 2097152 (2 MiB) or "
           "1073741824 (1 GiB), got " +
           std::to_string(m_pageBytes);
}

void
TranslationCache::Start(PcieLink& pcie)
{
    if (const std::string fault = FindFault(); !fault.empty())
    {
        throw VerbsError(fault);
    }
    m_pageShift = static_cast<uint32_t>(__builtin_ctzll(m_pageBytes));
    m_pcie = &pcie;
    if (m_entries > 0)
    {
        const uint32_t lines = std::max<uint32_t>(1, m_entries / m_entriesPerFetch);
        m_ways = std::min(m_maxWays, lines);
        m_sets.assign(lines / m_ways, SlotTable::NONE);
    }
}

Tick
TranslationCache::Access(Tick now, uint64_t address, uint32_t bytes)
{
    NS_ASSERT_MSG(bytes > 0, "nothing to translate");
    if (m_entries == 0)
    {
        return now;
    }
    const uint64_t first = (address >> m_pageShift) / m_entriesPerFetch;
    const uint64_t last = ((address + bytes - 1) >> m_pageShift) / m_entriesPerFetch;
    Tick ready = now;
    for (uint64_t number = first; number <= last; ++number)
    {
        ready = std::max(ready, Look(now, number));
    }
    return ready;
}

TranslationCache::Line*
TranslationCache::FindSet(uint64_t number)
{
    uint32_t& begin = m_sets[number % m_sets.size()];
    if (begin == SlotTable::NONE)
    {
        begin = static_cast<uint32_t>(m_lines.size());
        m_lines.resize(m_lines.size() + m_ways);
    }
    return m_lines.data() + begin;
}

Tick
TranslationCache::Look(Tick now, uint64_t number)
{
    Line* const begin = FindSet(number);
    Line* const end = begin + m_ways;
    Line* found =
        std::find_if(begin, end, [number](const Line& line) { return line.number == number; });
    if (found != end)
    {
        ++m_stats.hits;
    }
    else
    {
        ++m_stats.misses;
        found = end - 1;
        const uint32_t bytes = m_entriesPerFetch * m_entryBytes;
        *found = {number, m_pcie->Read(now, now, DmaKind::TRANSLATION, 0, bytes)};
    }
    std::rotate(begin, found, found + 1); // The newest first.
    return std::max(now, begin->ready);
}

} // namespace ns3::rdma
