// SPDX-License-Identifier: GPL-2.0-only
#ifndef FPGA_KV_MEMORY_ENGINE_H
#define FPGA_KV_MEMORY_ENGINE_H

#include "ns3/channel-memory.h"
#include "ns3/pcie-link.h"
#include "ns3/tick.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// How the memory of a store is spread over PCIe and the NIC's DRAM.
struct KvMemorySettings
{
    uint64_t base{0};        ///< Of the store's memory in the host; a multiple of 64.
    uint64_t memoryBytes{0}; ///< Of it; a multiple of 64.
    uint64_t cacheBytes{0};  ///< Of NIC DRAM that caches it; a multiple of 64. 0: none does.
    /// Share of the lines that may be in the DRAM, 0 to 1: l of KV-Direct section 3.3.4.
    double dispatchRatio{0};

    /// @return what is wrong, one line; empty: nothing.
    std::string FindFault() const;
};

/// Counts of one engine. Accesses of more than a line count as often as PCIe or DRAM is used.
struct KvMemoryStats
{
    uint64_t pcieReads{0};  ///< DMA requests.
    uint64_t pcieWrites{0}; ///< DMA requests; write-backs included.
    uint64_t pcieBytes{0};  ///< Of data, both ways.
    uint64_t cardAccesses{0};
    uint64_t hits{0};       ///< Reads and writes of lines that were in the DRAM.
    uint64_t misses{0};     ///< Reads and writes of lines that may be in the DRAM and were not.
    uint64_t writeBacks{0}; ///< Dirty lines that others replaced.

    /// @return what was counted since an earlier state.
    KvMemoryStats operator-(const KvMemoryStats& earlier) const;
};

/**
 * @ingroup fpga-kv-direct
 * @brief When accesses to a store's memory are done: over PCIe, or in the NIC's DRAM, which caches
 * a share of the lines (KV-Direct sections 3.3.4 and 4).
 *
 * A timeline over PCIe links and DRAM: each call returns when the access ends and takes its share
 * of both.  It moves no bytes: they are in the host's memory all the time, and only the store reads
 * them (section 4), except for the stacks of free slabs, which bypass the DRAM.
 *
 * A hash of its address decides whether a line of 64 bytes may be in the DRAM, and which link leads
 * to it.  The cache is direct mapped: with a sixteenth of the memory, a line's 4 address bits
 * and its dirty bit are in the spare ECC bits, so that they come with the data.  A read takes one
 * access of the DRAM; if that finds another line, the line comes over PCIe, is written to the DRAM,
 * and the other one goes to the host if it is dirty.  A write to a line that is in the DRAM takes
 * one access, since its operation has read it before; any other one takes the access that reads
 * the bits, too, and a part of a line is merged with the rest, which is read over PCIe.
 * Lines next to each other that are not in the DRAM are one DMA request.
 *
 * An access to a line that is still on its way over PCIe ends when the line is there at the
 * earliest, and such a line is written back then.  The reservation station keeps operations on one
 * bucket apart, but two slabs of 32 bytes, of different buckets, may share a line.
 *
 * Not modelled: ECC; the order of accesses on a DRAM channel beyond first come, first served.
 */
class KvMemoryEngine
{
  public:
    static constexpr uint32_t LINE_BYTES{64};

    /// Of memory that one request is for.
    struct Piece
    {
        uint64_t address{0};
        uint32_t bytes{0};
    };

    /// All outlive this. @param settings without a fault; @param links at least one, started
    /// @param card as large as the cache at least
    KvMemoryEngine(const KvMemorySettings& settings,
                   std::vector<PcieLink*> links,
                   ChannelMemory& card);

    /// @param now never before an earlier call's; @param earliest not before now; @param bytes at
    /// least 1 @return when the last of them is in the NIC
    Tick Read(Tick now, Tick earliest, uint64_t address, uint32_t bytes);

    /// Likewise. @return when the last of them has left the NIC, or is in its DRAM: PCIe writes are
    /// posted.
    Tick Write(Tick now, Tick earliest, uint64_t address, uint32_t bytes);

    /// As Read() and Write(), bypassing the DRAM: for memory that the host uses, too.
    Tick ReadHost(Tick now, Tick earliest, Piece piece);
    Tick WriteHost(Tick now, Tick earliest, Piece piece);

    /// Leaves the DRAM as an access before the run would have: no time passes, nothing is counted.
    /// @param isWrite of it: what is in the DRAM is dirty then
    void Warm(uint64_t address, uint32_t bytes, bool isWrite);

    /// @return whether a line may be in the DRAM.
    bool IsCacheable(uint64_t address) const;

    const KvMemoryStats& GetStats() const
    {
        return m_stats;
    }

  private:
    /// What the DRAM has in one of its lines.
    struct CacheLine
    {
        uint32_t tag{0}; ///< 1 + that of the line of memory; 0: nothing yet.
        bool isDirty{false};
        Tick arrival{0}; ///< When the line is in the DRAM whole.
    };

    /// Calls onCached with each line that may be in the DRAM, and how much of it is meant; onHost
    /// with the pieces between.
    template <class OnCached, class OnHost>
    void Divide(uint64_t address, uint32_t bytes, OnCached onCached, OnHost onHost) const;

    PcieLink& FindLink(uint64_t address) const;
    uint64_t GetCardAddress(uint64_t address) const;
    uint32_t GetTag(uint64_t address) const;
    CacheLine& FindLine(uint64_t address);
    Tick AccessCard(Tick now, Tick earliest, uint64_t address);
    Tick ReadCached(Tick now, Tick earliest, uint64_t line);
    Tick WriteCached(Tick now, Tick earliest, uint64_t line, uint32_t bytes);
    CacheLine& Replace(Tick now, Tick earliest, uint64_t line);

    KvMemorySettings m_settings;
    std::vector<PcieLink*> m_links;
    ChannelMemory& m_card;
    uint64_t m_cacheLines;
    uint64_t m_cacheableBelow; ///< Hashes of lines that may be in the DRAM.
    bool m_isAllCacheable;
    std::vector<CacheLine> m_lines;
    KvMemoryStats m_stats;
};

} // namespace ns3::rdma

#endif // FPGA_KV_MEMORY_ENGINE_H
