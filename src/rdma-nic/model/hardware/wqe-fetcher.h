// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_WQE_FETCHER_H
#define RDMA_WQE_FETCHER_H

#include "ns3/pcie-link.h"

#include <algorithm>

namespace ns3::rdma
{

/// Counts of send work requests.
struct WqeFetchStats
{
    uint64_t fetches{0};
    uint64_t fetched{0}; ///< Work requests that came by a fetch.
    uint64_t dropped{0}; ///< Fetched, not used in their turn, and dropped: to be fetched again.
    uint64_t pushed{0};  ///< Came with the doorbell.
};

/**
 * @ingroup rdma-hardware
 * @brief Gets send work requests from host memory: how many at a time, how much payload per turn,
 * and what becomes of the unused.
 *
 * SRNIC's DMA engine (section 4.3.1) fetches up to n work requests and min(burst, credit) bytes of
 * messages of the queue pair whose turn it is, and drops what it did not use: fetch-and-drop, no
 * cache. A NIC with a work request cache keeps
 * them, and fetches the next when half of them are used.  A small work request may come with the
 * doorbell itself (BlueFlame in NVIDIA's adapters), which spares the fetch.
 */
class WqeFetcher : public Object
{
  public:
    static TypeId GetTypeId();

    /// Once, before anything else. @param pcie outlives the fetcher
    void Start(PcieLink& pcie);

    /// @param requests of the queue that are visible to the NIC, at least 1
    /// @return when they have come and the scheduler has decided
    Tick Fetch(Tick now, Tick earliest, uint32_t requests);

    /// The same, before a turn needs them. @return when they have come
    Tick Prefetch(Tick now, uint32_t requests);

    /// @return when a turn that needs no fetch may go on. @param beginsMessage whether it takes a
    /// new work request
    Tick Decide(Tick earliest, bool beginsMessage) const
    {
        return beginsMessage ? earliest + m_decisionTicks : earliest;
    }

    /// @return what a turn on an idle NIC takes before its payload is requested.
    Tick GetIdleTurn() const;

    /// The host rings for one work request. @param inlineBytes payload in it
    /// @return bytes that the host stores; 0: it does not fit, and must be fetched
    uint32_t Push(bool isInline, uint32_t inlineBytes);

    /// So many fetched work requests were not used.
    void Drop(uint32_t requests)
    {
        m_stats.dropped += requests;
    }

    uint32_t GetWqesPerFetch() const
    {
        return m_wqesPerFetch;
    }

    /// @return work requests that a turn may use.
    uint32_t GetWqesPerTurn() const
    {
        return m_wqesPerTurn;
    }

    uint32_t GetBurstBytes() const
    {
        return m_burstBytes;
    }

    /// @return payload that a queue pair whose rate is limited sends in a turn before its rate
    /// counts; 0: one packet.
    uint32_t GetPacedBurstBytes() const
    {
        return m_pacedBurstBytes;
    }

    bool KeepsWqes() const
    {
        return m_keepsWqes;
    }

    /// @return whether pushed work requests wait on the chip behind others, and so are never
    /// fetched.
    bool QueuesPushed() const
    {
        return m_queuesPushed;
    }

    /// @return whether inline payload comes with its work request.
    bool TakesInline() const
    {
        return m_takesInline;
    }

    /// @return turns under way at most.
    uint32_t GetMaxFetches() const
    {
        return m_maxFetches;
    }

    const WqeFetchStats& GetStats() const
    {
        return m_stats;
    }

  private:
    Tick Read(Tick now, Tick earliest, uint32_t requests);

    PcieLink* m_pcie{nullptr};
    uint32_t m_wqesPerFetch{0};
    uint32_t m_wqesPerTurn{0};
    uint32_t m_wqeBytes{0};
    uint32_t m_burstBytes{0};
    uint32_t m_pacedBurstBytes{0};
    uint32_t m_maxFetches{0};
    uint32_t m_pushedBytes{0};
    bool m_keepsWqes{false};
    bool m_queuesPushed{false};
    bool m_takesInline{true};
    bool m_pushesOnlyInline{false};
    Time m_decision;
    Tick m_decisionTicks{0};
    WqeFetchStats m_stats;
};

} // namespace ns3::rdma

#endif // RDMA_WQE_FETCHER_H
