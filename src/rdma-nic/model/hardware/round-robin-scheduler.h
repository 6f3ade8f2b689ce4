// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_ROUND_ROBIN_SCHEDULER_H
#define RDMA_ROUND_ROBIN_SCHEDULER_H

#include "ns3/send-scheduler.h"

#include <boost/circular_buffer.hpp>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-hardware
 * @brief One packet of each ready queue pair in turn.
 *
 * Queue pairs that are paced wait aside until their time and then join the end of the line; those
 * that became ready at the same time keep the order in which they were added.
 */
class RoundRobinScheduler : public SendScheduler
{
  public:
    static TypeId GetTypeId();
    RoundRobinScheduler();
    void Add(uint32_t queuePair, Tick readyAt, Tick now) override;
    std::optional<uint32_t> Pick(Tick now) override;
    Tick GetNextReady(Tick now) const override;

  private:
    struct Paced
    {
        Tick readyAt;
        uint64_t sequence;
        uint32_t queuePair;
    };

    static bool IsLater(const Paced& left, const Paced& right);
    void Line(uint32_t queuePair);
    void LineUpDue(Tick now);

    boost::circular_buffer<uint32_t> m_line; ///< Ready, first come first served.
    std::vector<Paced> m_paced;              ///< Heap, earliest on top.
    uint64_t m_sequence{0};
};

} // namespace ns3::rdma

#endif // RDMA_ROUND_ROBIN_SCHEDULER_H
