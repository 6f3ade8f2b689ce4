// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_WQE_FETCHER_H
#define RDMA_WQE_FETCHER_H

#include "ns3/pcie-link.h"

#include <algorithm>
#include <vector>

namespace ns3::rdma
{

/// Counts of send work requests.
struct WqeFetchStats
{
    uint64_t fetches{0};
    uint64_t fetched{0}; ///< Work requests that were fetched.
    uint64_t dropped{0}; ///< Fetched, not used in their turn, and dropped; they are fetched again.
    uint64_t pushed{0};  ///< Work requests in a doorbell.
};

/// Send work requests of a queue pair that are on the chip, by packet number.
struct HeldWqes
{
    /// Updates `until` for work requests that have arrived.
    void Arrive(Tick now)
    {
        if (comeAt <= now)
        {
            until = comingUntil;
        }
    }

    uint64_t until{0}; ///< Work requests of packets before it are on the chip.
    /// Those before it are on the chip or being fetched; at least `until`.
    uint64_t comingUntil{0};
    Tick comeAt{0}; ///< When all before comingUntil are on the chip.
};

/**
 * @ingroup rdma-hardware
 * @brief Fetches send work requests from host memory: how many at a time, how much payload per
 * turn, and whether unused ones are kept.
 *
 * SRNIC's DMA engine (section 4.3.1) fetches up to n work requests and min(burst, credit) bytes of
 * messages of the queue pair whose turn it is, and drops unused work requests: fetch-and-drop, no
 * cache.  A NIC with a work request cache keeps them, and fetches the next ones when half of them
 * are used.  The doorbell may contain a small work request (BlueFlame in NVIDIA's adapters), which
 * avoids the fetch.
 */
class WqeFetcher : public Object
{
  public:
    static TypeId GetTypeId();

    /// Called once, first. @param pcie outlives the fetcher
    void Start(PcieLink& pcie);

    /// @param requests of the queue that are visible to the NIC, at least 1
    /// @return when they have arrived and the scheduler has decided
    Tick Fetch(Tick now, Tick earliest, uint32_t requests);

    /// As Fetch(), before a turn needs them. @return when they have arrived
    Tick Prefetch(Tick now, uint32_t requests);

    /// @return when a turn that needs no fetch may continue.
    /// @param beginsMessage whether it takes a new work request
    Tick Decide(Tick earliest, bool beginsMessage) const
    {
        return beginsMessage ? earliest + m_decision : earliest;
    }

    /// @return the time of a turn on an idle NIC before its payload is requested.
    Tick GetIdleTurn() const;

    /// The host rings for one work request. @param inlineBytes payload in it
    /// @return bytes that the host stores; 0: it does not fit, and must be fetched
    uint32_t Push(bool isInline, uint32_t inlineBytes);

    /// Counts fetched work requests that were not used.
    void Drop(uint32_t requests)
    {
        m_stats.dropped += requests;
    }

    uint32_t GetWqesPerFetch() const
    {
        return m_wqesPerFetch;
    }

    /// @return most work requests that a turn uses.
    uint32_t GetWqesPerTurn() const
    {
        return m_wqesPerTurn;
    }

    uint32_t GetBurstBytes() const
    {
        return m_burstBytes;
    }

    /// @return payload that a paced queue pair sends in a turn before its rate applies; 0: one
    /// packet.
    uint32_t GetPacedBurstBytes() const
    {
        return m_pacedBurstBytes;
    }

    bool KeepsWqes() const
    {
        return m_keepsWqes;
    }

    /// @return whether pushed work requests are queued on the chip behind others, so that they are
    /// never fetched.
    bool QueuesPushed() const
    {
        return m_queuesPushed;
    }

    /// @return whether a work request contains its inline payload.
    bool TakesInline() const
    {
        return m_takesInline;
    }

    /// @return the work requests on the chip, for all ports. @param place of the queue pair
    HeldWqes& GetHeld(uint32_t place)
    {
        if (place >= m_held.size())
        {
            m_held.resize(place + 1);
        }
        return m_held[place];
    }

    /// @return most turns in progress.
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
    Tick m_decision{0};
    std::vector<HeldWqes> m_held; ///< By the queue pairs' places.
    WqeFetchStats m_stats;
};

} // namespace ns3::rdma

#endif // RDMA_WQE_FETCHER_H
