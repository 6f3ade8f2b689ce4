// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/gpu-path.h"

#include "ns3/assert.h"
#include "ns3/type-attributes.h"
#include "ns3/verbs-error.h"

#include <algorithm>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(GpuPath);

TypeId
GpuPath::GetTypeId()
{
    static TypeId tid =
        TypeAttributes::Of<GpuPath, Object>("ns3::rdma::GpuPath", "RdmaNic")
            .Add("BarBytes",
                 Member(&GpuPath::m_barBytes, 0),
                 "GPU memory that the bus reaches at once, bytes; 0: there is no GPU (thesis "
                 "section 2.6: 60 GB of an A100, 256 MB of an A4000)")
            .Add("PageSize",
                 Member(&GpuPath::m_pageBytes, 65536, 4096, 1 << 30),
                 "Size of a page of GPU memory as the bus sees it, bytes, a power of two (64 KiB: "
                 "NVIDIA, GPUDirect RDMA section 3.2, nvidia_p2p_get_pages)")
            .Add("Bandwidth",
                 Member(&GpuPath::m_bandwidth, DataRate(0), AnyRate()),
                 "Payload in one direction at most; 0: what the NIC's own PCIe link carries (8500 "
                 "MB/s, 68 Gb/s, through a PCIe switch across NUMA nodes: BALBOA section 8.2)")
            .Add("Latency",
                 Member(&GpuPath::m_latency, Time(0), Time(0), MilliSeconds(1)),
                 "Latency each way in addition to that of the NIC's own PCIe link (0: no published "
                 "figure separates it from that of host memory)")
            .Add("CacheEntries",
                 Member(&GpuPath::m_entries, 256, 0, 1 << 24),
                 "Pages whose translation is cached; 0: all of them (256: our estimate; the thesis "
                 "sees 100 queue pairs fit and 2000 not, Figures 5.8 and 5.13)")
            .Add("MissTime",
                 Member(&GpuPath::m_missTime, NanoSeconds(800), Time(0), MilliSeconds(1)),
                 "Time from a miss until the translation of its page is known (800 ns: fitted to "
                 "the 80 Gb/s of 2000 queue pairs with 8 KiB in the thesis' Figure 5.13)")
            .Add("MaxMisses",
                 Member(&GpuPath::m_maxMisses, 1, 1, 4096),
                 "Misses in progress at a time at most (1: our estimate)");
    return tid;
}

std::string
GpuPath::FindFault() const
{
    if ((m_pageBytes & (m_pageBytes - 1)) != 0)
    {
        return "ns3::rdma::GpuPath::PageSize: expected a power of two, got " +
               std::to_string(m_pageBytes);
    }
    return "";
}

void
GpuPath::Start(RandomStream stream)
{
    if (const std::string fault = FindFault(); !fault.empty())
    {
        throw VerbsError(fault);
    }
    if (m_barBytes == 0)
    {
        return;
    }
    m_memory = Create<GpuMemory>(m_barBytes, m_pageBytes);
    m_rate = m_bandwidth.GetBitRate() > 0 ? SerializationRate(m_bandwidth) : SerializationRate();
    m_misses.assign(m_maxMisses, 0);
    m_random = stream;
}

Tick
GpuPath::Write(Tick now, Tick earliest, uint64_t address, uint32_t bytes)
{
    const Tick translatedAt = Translate(now, address, bytes);
    const Tick start = std::max({now, earliest, translatedAt, m_writeFree});
    m_writeFree = start + m_rate.GetDuration(bytes);
    m_stats.writtenBytes += bytes;
    m_waitingBytes += bytes;
    m_stats.peakBytes = std::max(m_stats.peakBytes, m_waitingBytes);
    return start;
}

Tick
GpuPath::Read(Tick now, uint64_t address, uint32_t bytes)
{
    const Tick start = std::max(Translate(now, address, bytes), m_readFree);
    m_readFree = start + m_rate.GetDuration(bytes);
    m_stats.readBytes += bytes;
    return start;
}

Tick
GpuPath::Translate(Tick now, uint64_t address, uint32_t bytes)
{
    NS_ASSERT_MSG(bytes > 0, "nothing to translate");
    if (m_entries == 0)
    {
        return now;
    }
    const uint32_t first = m_memory->FindPage(address);
    const uint32_t last = m_memory->FindPage(address + bytes - 1);
    NS_ASSERT_MSG(first != GpuMemory::NO_PAGE && last >= first && last != GpuMemory::NO_PAGE,
                  "no registered GPU memory");
    if (m_version != m_memory->GetVersion())
    {
        m_version = m_memory->GetVersion();
        m_slots = SlotTable(m_entries);
        m_ready.clear();
    }
    Tick ready = now;
    for (uint32_t page = first; page <= last; ++page)
    {
        ready = std::max(ready, Look(now, page));
    }
    return ready;
}

Tick
GpuPath::Look(Tick now, uint32_t page)
{
    uint32_t slot = m_slots.Find(page);
    if (slot != SlotTable::NONE)
    {
        ++m_cacheStats.hits;
        return std::max(now, m_ready[slot]);
    }
    ++m_cacheStats.misses;
    if (m_slots.IsFull())
    {
        m_slots.Remove(m_random.NextBelow(m_entries));
    }
    slot = m_slots.Add(page);
    if (slot == m_ready.size())
    {
        m_ready.push_back(0);
    }
    Tick& oldest = m_misses[m_oldestMiss];
    m_oldestMiss = m_oldestMiss + 1 == m_misses.size() ? 0 : m_oldestMiss + 1;
    m_cacheStats.stalls += oldest > now ? 1 : 0;
    oldest = std::max(now, oldest) + m_missTime;
    m_ready[slot] = oldest;
    return oldest;
}

} // namespace ns3::rdma
