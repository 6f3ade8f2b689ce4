// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PCIE_LINK_H
#define RDMA_PCIE_LINK_H

#include "ns3/data-rate.h"
#include "ns3/object.h"
#include "ns3/random-stream.h"
#include "ns3/tick.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// Kinds of PCIe transfers, which are counted separately.
enum class DmaKind : uint8_t
{
    PAYLOAD,     ///< Of messages.
    WQE,         ///< Send and receive work requests.
    CONTEXT,     ///< Queue pair contexts that are not on the chip.
    TRANSLATION, ///< Entries of the memory translation table.
    COMPLETION,  ///< Completion queue entries.
    SOFTWARE,    ///< Control queues of a slow path in host software.
    DOORBELL,    ///< Stores of the host to the NIC (MMIO).
    KERNEL,      ///< Memory accesses of a kernel that depend on no other.
    COUNT
};

constexpr std::size_t DMA_KINDS = static_cast<std::size_t>(DmaKind::COUNT);

/// @return the name, for example "payload".
const char* GetDmaKindName(DmaKind kind);

/// Bytes on the link, TLP overhead included, by kind.
struct PcieStats
{
    std::array<uint64_t, DMA_KINDS> upBytes{};   ///< NIC to host.
    std::array<uint64_t, DMA_KINDS> downBytes{}; ///< Host to NIC.
    uint64_t reads{0};                           ///< DMA reads, before they are split.
    uint64_t writes{0};                          ///< DMA writes, before they are split.
    uint64_t doorbells{0};
    uint64_t tagStalls{0};    ///< Read TLPs that waited for a tag or a non-posted credit.
    uint64_t creditStalls{0}; ///< Write TLPs that waited for a posted credit.
    uint64_t rateStalls{0};   ///< Read and write TLPs that waited for the RequestRate.
};

/**
 * @ingroup rdma-hardware
 * @brief The PCIe link of one NIC: computes when DMA reads and writes and the host's stores end.
 *
 * A timeline, not a protocol machine: each call returns when the operation ends, and reserves
 * bandwidth of both directions, tags and credits, in the order of the calls.
 *
 * Bytes are accounted at the call, not when the operation can start: a direction that is free at f
 * is then free at max(f, now) + t, and the operation ends at max(that, start + latency + t).  So an
 * operation with a later start delays no other, and a direction never exceeds its rate.  Tags and
 * credits are accounted in the same way.
 *
 * Reads (PCIe Base Specification, section 2.2.7): a request TLP per MaxReadRequest and 4 KiB page
 * is sent up.  It takes bandwidth but is not delayed by writes, since a DMA engine alternates
 * requests and writes; completions of CompletionBytes are returned.  A request holds a tag and a
 * non-posted credit until its data have arrived.  Payload reads end in the order of the calls;
 * small reads overtake them.
 *
 * Writes (section 2.4): TLPs of MaxPayload are sent up in the order of the calls; each holds a
 * posted credit until WriteLatency after it has left.  Default numbers of tags and credits
 * are those of KV-Direct, section 2.4.
 *
 * Switches and sockets between the NIC and the memory add their latency to each direction: once to
 * writes and stores, twice to reads.  Not modelled: their bandwidth and other devices behind them.
 *
 * A DMA engine may issue fewer TLPs per second than the link carries: with RequestRate, read
 * requests and write TLPs of any kind and size leave it at intervals of at least 1 / RequestRate.
 * Stores of the host and completions do not pass the engine.
 *
 * Between the engine and the PCIe block of an FPGA is a bus of BeatBytes per Beat.  Each TLP begins
 * with a descriptor of DescriptorBytes, and in a new beat (PG213, requester request interface
 * without straddling).  A TLP takes the longer of its times on this bus and on the link.  So a
 * write of half of MaxPayload may be below the link's rate although larger ones are not.
 *
 * Data link layer packets (DLLPs, chapter 3) take bandwidth of the other direction: with DllpBytes,
 * each request and each write returns that many bytes, an acknowledgment and a credit update, and
 * each completion half of it, since a NIC grants unlimited credit for completions.
 *
 * Not modelled: data credits, completions cut short at an unaligned address, DLLPs that stand for
 * several TLPs, errors and replays, FLIT mode (generation 6), switches, the host's memory, IOMMU
 * and caches beyond a latency.
 */
class PcieLink : public Object
{
  public:
    static TypeId GetTypeId();

    /// @return the fault of the attributes in combination, one line; empty if there is none.
    std::string FindFault() const;

    /// @return an idle link with the same attributes, to compute durations without use of this
    /// link.
    Ptr<PcieLink> MakeIdle() const;

    /// Called once, first. Throws a VerbsError if there is a fault.
    /// @param stream of random numbers of this link alone
    void Start(RandomStream stream);

    /**
     * @brief DMA read: host memory to NIC.
     * @param now time of the call, not before an earlier one
     * @param earliest when the NIC has the address, not before now
     * @param address in the host, for the split at pages; @param bytes at least 1
     * @return when the last byte is in the NIC. Payload reads end in the order of the calls; small
     * control reads may overtake them.
     */
    Tick Read(Tick now, Tick earliest, DmaKind kind, uint64_t address, uint32_t bytes);

    /// DMA write: NIC to host. @return when the host can see the last byte.
    Tick Write(Tick now, Tick earliest, DmaKind kind, uint64_t address, uint32_t bytes);

    /// The host stores to the NIC. @param bytes 8 for a doorbell, more for a pushed work request
    /// @return when the NIC has them
    Tick Store(Tick now, uint32_t bytes);

    /// @return the time from when a write leaves the NIC until the host can see it. After Start().
    Tick GetWriteLatency() const
    {
        return m_writeTime;
    }

    /// @return bytes of payload, no other kind, that are not written yet. They are assumed to leave
    /// at a constant rate.
    uint64_t GetWriteBacklog(Tick now) const;

    /// @return GetWriteBacklog() of the present or any later time at most, until the next write.
    uint64_t GetMostBacklog() const
    {
        return m_backlogBytes;
    }

    /// @return usable rate of one direction, after line coding, before TLP overhead.
    DataRate GetRate() const;

    const PcieStats& GetStats() const
    {
        return m_stats;
    }

  private:
    /// A limited number of tags or credits. In the order of the calls, each user takes the one that
    /// was taken first.
    class Ring
    {
      public:
        void Reset(uint32_t size)
        {
            m_free.assign(size, 0);
            m_size = size;
            m_next = 0;
        }

        /// @return when the next one is free.
        Tick GetOldest() const
        {
            return m_free[m_next];
        }

        /// @return the next one's time, to be changed.
        Tick& Take()
        {
            Tick& oldest = m_free[m_next];
            m_next = m_next + 1 == m_size ? 0 : m_next + 1;
            return oldest;
        }

      private:
        std::vector<Tick> m_free; ///< When each is free again.
        uint32_t m_size{0};
        uint32_t m_next{0};
    };

    /// The load that the data of one read TLP put on the link.
    struct ReadLoad
    {
        uint32_t bytes; ///< From host to NIC, TLP overhead included.
        Tick duration;
        Tick downTicks; ///< The same with the DLLPs of the request.
        Tick upTicks;   ///< Of the request, with the DLLPs of the completions.
    };

    ReadLoad GetReadLoad(uint32_t bytes) const;
    /// @return how long a TLP from the NIC keeps others from leaving. @param dataBytes 0: a request
    Tick GetUpTicks(uint32_t dataBytes) const;
    /// @return when the DMA engine issues the next TLP.
    Tick TakeTurn(Tick now, Tick earliest);
    Tick TakeLimitedTurn(Tick now, Tick earliest);
    /// Reads by TLPs of MaxReadRequest bytes, as ReadTlp() does, until one has to wait for a tag.
    /// Only without RequestRate. @param tlps at most @param last end of the read before, then of
    /// this one @return how many
    uint32_t ReadUndelayed(Tick now, uint32_t tlps, Tick& last);
    /// Reads by one TLP, which may have to wait. @return when its data are in the NIC
    Tick ReadTlp(Tick now, Tick earliest, const ReadLoad& load, Tick last);
    /// Writes one TLP, which may have to wait.
    void WriteTlp(Tick now, Tick earliest, uint32_t bytes);
    /// Writes TLPs of MaxPayload bytes, as WriteTlp() does, until one has to wait for a credit.
    /// Only without RequestRate. @param tlps at most @return how many
    uint32_t WriteUndelayed(Tick now, uint32_t tlps);
    Tick DrawJitter();

    // Attributes.
    uint32_t m_generation{0};
    uint32_t m_lanes{0};
    uint32_t m_maxPayload{0};
    uint32_t m_maxReadRequest{0};
    uint32_t m_completionBytes{0};
    uint32_t m_tlpOverhead{0};
    uint32_t m_dllpBytes{0};
    uint32_t m_tags{0};
    uint32_t m_postedCredits{0};
    uint32_t m_nonPostedCredits{0};
    uint64_t m_requestRate{0};
    uint32_t m_beatBytes{0};
    uint32_t m_descriptorBytes{0};
    Tick m_beat{0};
    Tick m_readLatency{0};
    Tick m_readJitter{0};
    Tick m_writeLatency{0};
    Tick m_storeLatency{0};
    uint32_t m_switches{0};
    Tick m_switchLatency{0};
    uint32_t m_socketHops{0};
    Tick m_socketLatency{0};

    // The attributes in the units of the packet path.
    SerializationRate m_rate;
    Tick m_readTime{0};            ///< ReadLatency, with switches and sockets.
    Tick m_writeTime{0};           ///< The same of WriteLatency.
    Tick m_storeTime{0};           ///< The same of StoreLatency.
    Tick m_requestTicks{0};        ///< A request TLP's time on the link.
    Tick m_requestUpTicks{0};      ///< GetUpTicks() of a request TLP.
    Tick m_dllpTicks{0};           ///< Of DllpBytes on the link.
    Tick m_writeTicks{0};          ///< GetUpTicks() of a write TLP of MaxPayload bytes.
    ReadLoad m_readLoad{};         ///< Of MaxReadRequest bytes.
    uint32_t m_readShift{0};       ///< MaxReadRequest is 2 to the power of it.
    uint32_t m_payloadShift{0};    ///< The same of MaxPayload.
    uint32_t m_completionShift{0}; ///< The same of CompletionBytes.
    Tick m_turnTicks{0};           ///< Between two TLPs of the DMA engine; 0: no limit.

    // The timelines.
    Tick m_turnFree{0}; ///< When the DMA engine may issue the next TLP.
    Tick m_upFree{0};
    Tick m_downFree{0};
    Tick m_lastPayload{0}; ///< When the newest payload read ends.
    Tick m_lastLeft{0};    ///< When the newest write TLP has left the NIC.
    Tick m_lastWrite{0};   ///< When the newest write is visible to the host.
    Ring m_tagRing;
    Ring m_creditRing;

    // Payload that is not written yet.
    uint64_t m_backlogBytes{0}; ///< At m_backlogTime.
    Tick m_backlogTime{0};
    Tick m_backlogEnd{0}; ///< When all of it is written.

    RandomStream m_random;
    PcieStats m_stats;
};

} // namespace ns3::rdma

#endif // RDMA_PCIE_LINK_H
