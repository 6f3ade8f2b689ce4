// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RECEIVE_WQE_CACHE_H
#define RDMA_RECEIVE_WQE_CACHE_H

#include "ns3/context-cache.h"
#include "ns3/linked-requests.h"
#include "ns3/receive-queue.h"

namespace ns3::rdma
{

/// Counts of messages that found their receive queue empty and waited.
struct EmptyQueueStats
{
    uint64_t waits{0};
    uint64_t timeouts{0}; ///< Of these, messages that waited in vain.
};

/**
 * @ingroup rdma-hardware
 * @brief Receive work requests: fetched when a message arrives, or ahead of it.
 *
 * SRNIC fetches a receive work request when its message has arrived, which costs a PCIe round trip
 * but no memory on the chip; a shared cache is its option for low latency (section 4.3.2).  With
 * Entries the next work requests of that many receive queues are on the chip, and the least
 * recently used queue is evicted: its unused work requests are dropped and fetched again later.
 * With Prefetch a queue is refilled when half of its work requests are used; messages are delayed
 * only if they arrive faster.
 *
 * Shared queues are few and keep their requests on the chip.  With SharedIsList they are
 * LinkedRequests, which cannot be fetched faster than one per round trip.
 *
 * With EmptyTimeout a message that finds no request stops the port: EmptyQueueStall.
 *
 * Not modelled: queues with fewer requests than are fetched, a prediction of queues that are not on
 * the chip.
 */
class ReceiveWqeCache : public Object
{
  public:
    static TypeId GetTypeId();

    /// Called once, first. @param pcie outlives the cache
    void Start(PcieLink& pcie);

    /// A message takes the next request of a queue pair's own queue.
    /// @param queue names it: a number below 2^24, and memory grows with the greatest
    /// @return when the request is on the chip
    Tick Take(Tick now, uint32_t queue);

    /// As Take(), of a shared queue.
    Tick TakeShared(Tick now, const ReceiveQueue& queue);

    /// The chip reads a queue in host memory to see whether a request has been posted.
    /// @return when it knows
    Tick Look(Tick now);

    /// @return how long a message waits for a request to be posted; 0: not at all.
    Tick GetEmptyTimeout() const
    {
        return m_emptyTimeout;
    }

    /// A message begins to wait.
    void CountWait()
    {
        ++m_emptyStats.waits;
    }

    /// A message has waited in vain.
    void CountTimeout()
    {
        ++m_emptyStats.timeouts;
    }

    const EmptyQueueStats& GetEmptyStats() const
    {
        return m_emptyStats;
    }

    const CacheStats& GetStats() const
    {
        return m_stats;
    }

  private:
    /// Requests of one queue on the chip or being fetched, by up to two reads.
    struct Stock
    {
        uint32_t count{0}; ///< Requests of the older read.
        Tick ready{0};
        uint32_t refill{0}; ///< Requests of the newer read.
        Tick refillReady{0};

        /// Replaces the older read by the newer one if its requests are used up.
        void Advance()
        {
            if (count == 0)
            {
                count = refill;
                ready = refillReady;
                refill = 0;
            }
        }
    };

    /// Requests of a shared queue; kept until the NIC is destroyed.
    struct Shared
    {
        Ptr<const ReceiveQueue> queue;
        Stock stock;
        LinkedRequests list;
    };

    Stock& Find(uint32_t queue);
    Shared& FindShared(const ReceiveQueue& queue);
    Tick TakeFrom(Stock& stock, Tick now);
    Tick Fetch(Tick now, uint32_t requests);

    // Attributes.
    uint32_t m_entries{0}; ///< 0: requests are fetched when messages arrive.
    uint32_t m_wqeBytes{0};
    uint32_t m_batch{0};
    bool m_prefetches{false};
    bool m_isSharedList{false};
    Tick m_emptyTimeout{0};

    PcieLink* m_pcie{nullptr};
    SlotTable m_slots;
    std::vector<Stock> m_stocks;  ///< By slot.
    std::vector<Shared> m_shared; ///< In the order of their first messages.
    CacheStats m_stats;
    EmptyQueueStats m_emptyStats;
};

} // namespace ns3::rdma

#endif // RDMA_RECEIVE_WQE_CACHE_H
