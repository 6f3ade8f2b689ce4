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

/// How the memory of a store is distributed over PCIe and the NIC's DRAM.
struct KvMemorySettings
{
    uint64_t base{0};        ///< Address of the store's memory in the host; a multiple of 64.
    uint64_t memoryBytes{0}; ///< Size of that memory; a multiple of 64.
    uint64_t cacheBytes{0};  ///< Size of the cache in NIC DRAM; a multiple of 64. 0: no cache.
    /// Share of the lines that may be in the DRAM, 0 to 1: l of KV-Direct section 3.3.4.
    double dispatchRatio{0};

    /// @return one line that describes a fault; empty if there is none.
    std::string FindFault() const;
};

/// Counts of one engine. An access counts once for each use of PCIe or DRAM.
struct KvMemoryStats
{
    uint64_t pcieReads{0};  ///< DMA requests.
    uint64_t pcieWrites{0}; ///< DMA requests; write-backs included.
    uint64_t pcieBytes{0};  ///< Of data, in both directions.
    uint64_t cardAccesses{0};
    uint64_t hits{0};       ///< Reads and writes of lines that were in the DRAM.
    uint64_t misses{0};     ///< Reads and writes of cacheable lines that were not in the DRAM.
    uint64_t writeBacks{0}; ///< Dirty lines that were replaced.

    /// @return the counts since an earlier state.
    KvMemoryStats operator-(const KvMemoryStats& earlier) const;
};

/**
 * @ingroup fpga-kv-direct
 * @brief Computes when accesses to a store's memory complete: over PCIe, or in the NIC's DRAM,
 * which caches a share of the lines (KV-Direct sections 3.3.4 and 4).
 *
 * Each call returns when its access completes, and occupies PCIe links and DRAM.  No bytes are
 * moved: they stay in the host's memory.  Only the store reads them (section 4), except for the
 * stacks of free slabs, which bypass the DRAM.
 *
 * Hashes of its address determine whether a line of 64 bytes is cacheable, and its link.  The cache
 * is direct mapped.  With a sixteenth of the memory, a line's 4 address bits and its dirty bit are
 * in the spare ECC bits, and are read with the data.
 *
 * A read takes one access of the DRAM.  If that finds another line, the line is read over PCIe and
 * written to the DRAM, and the other one is written to the host if it is dirty.  A write to a line
 * in the DRAM takes one access, since its operation has read the line before.  Any other write also
 * takes the access that reads the bits; a part of a line is merged with the rest, which is read
 * over PCIe.  Adjacent lines that are not cacheable are one DMA request.
 *
 * An access to a line that is in flight over PCIe ends no earlier than the line's arrival; nor is
 * such a line written back earlier.  The reservation station separates operations on one bucket,
 * but two slabs of 32 bytes, of different buckets, may share a line.
 *
 * Not modelled: ECC; reordering of accesses on a DRAM channel.
 */
class KvMemoryEngine
{
  public:
    static constexpr uint32_t LINE_BYTES{64};

    /// The memory range of one request.
    struct Piece
    {
        uint64_t address{0};
        uint32_t bytes{0};
    };

    /// @param settings without a fault
    /// @param links at least one, started; they outlive this
    /// @param card at least as large as the cache; outlives this
    KvMemoryEngine(const KvMemorySettings& settings,
                   std::vector<PcieLink*> links,
                   ChannelMemory& card);

    /// @param now not before that of an earlier call
    /// @param earliest start of the access, not before now
    /// @param bytes at least 1
    /// @return when the last byte is in the NIC
    Tick Read(Tick now, Tick earliest, uint64_t address, uint32_t bytes);

    /// As Read().
    /// @return when the last byte has left the NIC, or is in its DRAM: PCIe writes are posted.
    Tick Write(Tick now, Tick earliest, uint64_t address, uint32_t bytes);

    /// As Read() and Write(), bypassing the DRAM: for memory that the host uses, too.
    Tick ReadHost(Tick now, Tick earliest, Piece piece);
    Tick WriteHost(Tick now, Tick earliest, Piece piece);

    /// Changes the cache as an access before the run would. No time passes, and nothing is counted.
    /// @param isWrite whether the cached lines become dirty
    void Warm(uint64_t address, uint32_t bytes, bool isWrite);

    /// @return whether a line is cacheable: it may be in the DRAM.
    bool IsCacheable(uint64_t address) const;

    const KvMemoryStats& GetStats() const
    {
        return m_stats;
    }

  private:
    /// A line of the DRAM.
    struct CacheLine
    {
        uint32_t tag{0}; ///< 1 + tag of the memory's line; 0: empty.
        bool isDirty{false};
        Tick arrival{0}; ///< When the whole line is in the DRAM.
    };

    /// Calls onCached with each cacheable line and the number of its bytes in the range; calls
    /// onHost with the pieces between.
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
    uint64_t m_cacheableBelow; ///< Hashes of cacheable lines.
    bool m_isAllCacheable;
    std::vector<CacheLine> m_lines;
    KvMemoryStats m_stats;
};

} // namespace ns3::rdma

#endif // FPGA_KV_MEMORY_ENGINE_H
