// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_ROUND_ROBIN_SCHEDULER_H
#define RDMA_ROUND_ROBIN_SCHEDULER_H

#include "ns3/round-robin-line.h"
#include "ns3/send-scheduler.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-hardware
 * @brief One packet of each ready queue pair in turn.
 */
class RoundRobinScheduler : public SendScheduler
{
  public:
    static TypeId GetTypeId();
    void Add(uint32_t queuePair, Tick readyAt, Tick now) override;
    void Advance(uint32_t queuePair, Tick readyAt) override;
    std::optional<uint32_t> Pick(Tick now) override;
    std::optional<uint32_t> GetLikely() const override;
    Tick GetNextReady(Tick now) const override;

    /// @return the object to which all calls go.
    RoundRobinLine& GetLine()
    {
        return m_line;
    }

  private:
    RoundRobinLine m_line;
};

} // namespace ns3::rdma

#endif // RDMA_ROUND_ROBIN_SCHEDULER_H
