// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/tlb.h"

#include "ns3/assert.h"
#include "ns3/type-attributes.h"

#include <algorithm>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(Tlb);

TypeId
Tlb::GetTypeId()
{
    static TypeId tid = TypeAttributes::Of<Tlb, Object>("ns3::rdma::Tlb", "FpgaRnic")
                            .Add("Entries",
                                 Member(&Tlb::m_entries, 16384, 1, 1 << 24),
                                 "Pages that can be pinned (16384: 32 GB, StRoM section 4.3)")
                            .Add("PageSize",
                                 Member(&Tlb::m_pageBytes, 2 << 20, 4096, 1 << 30),
                                 "Size of a page, bytes (2 MiB: StRoM section 4.3)")
                            .Add("Frequency",
                                 Member(&Tlb::m_frequency, 156'250'000, 1'000'000, 10'000'000'000),
                                 "Clock of the TLB, Hz (156.25 MHz: StRoM section 6.1)")
                            .Add("Latency",
                                 Member(&Tlb::m_latency, 2, 0, 1000),
                                 "Cycles of a look-up (2: a read of on-chip memory and the check "
                                 "for a border; our estimate)")
                            .Add("Interval",
                                 Member(&Tlb::m_interval, 1, 1, 1000),
                                 "Cycles between two look-ups (1: the initiation interval in "
                                 "fpgasystems/davos, hls/tlb)");
    return tid;
}

bool
Tlb::HasPage(uint64_t page) const
{
    return m_pages.find(page) != m_pages.end();
}

bool
Tlb::Pin(uint64_t address, uint64_t bytes)
{
    NS_ASSERT_MSG(bytes > 0, "nothing to pin");
    if (address + (bytes - 1) < address)
    {
        return false;
    }
    const uint64_t first = address / m_pageBytes;
    const uint64_t last = (address + (bytes - 1)) / m_pageBytes;
    if (last - first >= m_entries)
    {
        return false;
    }
    uint64_t needed = 0;
    for (uint64_t page = first; page <= last; ++page)
    {
        needed += !HasPage(page);
    }
    if (m_pages.size() + needed > m_entries)
    {
        return false;
    }
    for (uint64_t page = first; page <= last; ++page)
    {
        m_pages.insert(page);
    }
    return true;
}

void
Tlb::Unpin(uint64_t address, uint64_t bytes)
{
    NS_ASSERT_MSG(bytes > 0, "nothing to unpin");
    const uint64_t last = (address + (bytes - 1)) / m_pageBytes;
    for (uint64_t page = address / m_pageBytes; page <= last; ++page)
    {
        m_pages.erase(page);
    }
}

bool
Tlb::IsPinned(uint64_t address, uint64_t bytes) const
{
    const uint64_t end = address + (bytes - 1);
    if (end < address || (end - address) / m_pageBytes > m_entries)
    {
        return false;
    }
    for (uint64_t page = address / m_pageBytes; page <= end / m_pageBytes; ++page)
    {
        if (!HasPage(page))
        {
            return false;
        }
    }
    return true;
}

DmaPieces
Tlb::Translate(Tick now, uint64_t address, uint32_t bytes)
{
    NS_ASSERT_MSG(bytes > 0, "nothing to translate");
    ++m_stats.commands;
    DmaPieces pieces;
    if (!IsPinned(address, bytes))
    {
        ++m_stats.faults;
        return pieces;
    }
    const ClockDomain clock(m_frequency, 1);
    while (bytes > 0)
    {
        const auto part =
            static_cast<uint32_t>(std::min<uint64_t>(bytes, m_pageBytes - address % m_pageBytes));
        const Cycle start = m_lookUps.Take(clock.GetCycle(now), m_interval);
        pieces.push_back({address, part, clock.GetTime(start + m_latency)});
        address += part;
        bytes -= part;
    }
    m_stats.pieces += pieces.size();
    return pieces;
}

std::size_t
Tlb::GetUsed() const
{
    return m_pages.size();
}

uint64_t
Tlb::GetPageBytes() const
{
    return m_pageBytes;
}

} // namespace ns3::rdma
