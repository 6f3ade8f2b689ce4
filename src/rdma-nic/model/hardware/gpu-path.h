// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_GPU_PATH_H
#define RDMA_GPU_PATH_H

#include "ns3/context-cache.h"
#include "ns3/gpu-memory.h"

#include <string>
#include <vector>

namespace ns3::rdma
{

/// Counts of the path to the GPU.
struct GpuPathStats
{
    uint64_t writtenBytes{0};
    uint64_t readBytes{0};
    uint64_t peakBytes{0}; ///< Most payload on the chip that was waiting for the path.
};

/**
 * @ingroup rdma-hardware
 * @brief The PCIe peer path between a NIC and its GPU: times of writes to and reads from GPU
 * memory.
 *
 * A timeline in addition to the NIC's own PCIe link, whose bandwidth and latency apply as well.
 * Writes are posted and stay in order (PCIe Base Specification, section 2.4): a write whose page is
 * not known delays later ones.  Pages are looked up when the NIC has the payload; a miss takes
 * MissTime, and at most MaxMisses are in flight, in the order of the calls.  A random entry is
 * evicted, as in ContextCache; registering or deregistering memory empties the cache.
 *
 * Not modelled: the GPU's own use of its memory, NVLink, atomics on GPU memory, a split of the
 * latency into NIC, switch and GPU, the periodic drops of the thesis' Figure 5.9, whose cause its
 * author did not find.
 */
class GpuPath : public Object
{
  public:
    static TypeId GetTypeId();

    /// @return the fault of the attributes, one line; empty if there is none.
    std::string FindFault() const;

    /// Called once, first. Throws a VerbsError if there is a fault.
    /// @param stream of random numbers of this path alone
    void Start(RandomStream stream);

    /// @return null if there is no GPU.
    const Ptr<GpuMemory>& GetMemory() const
    {
        return m_memory;
    }

    /// @return whether any GPU memory is registered.
    bool IsUsed() const
    {
        return m_memory && m_memory->GetPinnedBytes() > 0;
    }

    /// @return whether an address lies in registered GPU memory. Only if IsUsed()
    bool Holds(uint64_t address) const
    {
        return m_memory->FindPage(address) != GpuMemory::NO_PAGE;
    }

    /**
     * @brief Writes payload on the chip to GPU memory.
     * @param now time of the call, not before an earlier one; @param earliest time at which it may
     * leave
     * @param address for which Holds() returns true; @param bytes at least 1
     * @return when it may enter the NIC's own link. It occupies the chip until Leave()
     */
    Tick Write(Tick now, Tick earliest, uint64_t address, uint32_t bytes);

    /// Payload has entered the NIC's own link.
    void Leave(uint32_t bytes)
    {
        m_waitingBytes -= bytes;
    }

    /// @return payload on the chip that is waiting for the path.
    uint64_t GetWaitingBytes() const
    {
        return m_waitingBytes;
    }

    /// @return when the address of payload in GPU memory is known and the path is free: the NIC's
    /// own link may then read it.
    Tick Read(Tick now, uint64_t address, uint32_t bytes);

    /// @return the latency in addition to that of the NIC's own link.
    Tick GetLatency() const
    {
        return m_latency;
    }

    /// @return hits, misses, and misses that were delayed by others.
    const CacheStats& GetCacheStats() const
    {
        return m_cacheStats;
    }

    const GpuPathStats& GetStats() const
    {
        return m_stats;
    }

  private:
    Tick Translate(Tick now, uint64_t address, uint32_t bytes);
    Tick Look(Tick now, uint32_t page);

    // Attributes.
    uint64_t m_barBytes{0};
    uint64_t m_pageBytes{0};
    uint32_t m_entries{0};
    uint32_t m_maxMisses{0};
    Tick m_missTime{0};
    Tick m_latency{0};
    DataRate m_bandwidth;

    Ptr<GpuMemory> m_memory;
    SerializationRate m_rate; ///< Takes no time if there is no limit.
    Tick m_writeFree{0};
    Tick m_readFree{0};
    uint64_t m_waitingBytes{0};

    uint64_t m_version{0}; ///< Version of the memory registrations in the cache.
    SlotTable m_slots;
    std::vector<Tick> m_ready;  ///< By slot: when its entry is known.
    std::vector<Tick> m_misses; ///< Ends of the newest misses, a ring.
    std::size_t m_oldestMiss{0};
    RandomStream m_random;
    CacheStats m_cacheStats;
    GpuPathStats m_stats;
};

} // namespace ns3::rdma

#endif // RDMA_GPU_PATH_H
