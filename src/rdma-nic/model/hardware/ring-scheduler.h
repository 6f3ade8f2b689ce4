// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RING_SCHEDULER_H
#define RDMA_RING_SCHEDULER_H

#include "ns3/send-scheduler.h"

#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-hardware
 * @brief One packet of each ready queue pair, in the order of their numbers.
 *
 * The search begins behind the queue pair that sent last, as in HPCC's simulator
 * (RdmaEgressQueue::GetNextQindex in alibaba-edu/High-Precision-Congestion-Control, 9f4be2a, where
 * the order is that of creation).  A paced queue pair that becomes ready is therefore served, in
 * the mean, after half of the other ready ones, while RoundRobinScheduler serves all of them first.
 *
 * Not modelled: the order of that simulator when the places of ended queue pairs are closed.
 */
class RingScheduler : public SendScheduler
{
  public:
    static TypeId GetTypeId();
    void Add(uint32_t queuePair, Tick readyAt, Tick now) override;
    void Advance(uint32_t queuePair, Tick readyAt) override;
    std::optional<uint32_t> Pick(Tick now) override;
    Tick GetNextReady(Tick now) const override;

  private:
    struct Paced
    {
        Tick readyAt;
        uint32_t queuePair;
    };

    static bool IsLater(const Paced& left, const Paced& right);
    void AddReady(uint32_t queuePair);

    std::vector<uint32_t> m_ready; ///< Numbers, rising.
    std::vector<Paced> m_paced;    ///< A heap, earliest on top.
    uint32_t m_last{0};            ///< The queue pair that sent last.
};

} // namespace ns3::rdma

#endif // RDMA_RING_SCHEDULER_H
