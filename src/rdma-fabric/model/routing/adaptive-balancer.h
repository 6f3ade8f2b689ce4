// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_ADAPTIVE_BALANCER_H
#define RDMA_ADAPTIVE_BALANCER_H

#include "ns3/flowlet-table.h"
#include "ns3/load-balancer.h"
#include "ns3/random-stream.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-routing
 * @brief Each frame or flowlet takes the port with the least queued bytes of all candidates.
 *
 * Queue lengths are rounded down to multiples of Grade bytes, and one of the shortest is drawn at
 * random: hardware with adaptive routing distinguishes a few steps of queue length only.  With a
 * grade of one byte the shortest queue is taken.
 */
class AdaptiveBalancer : public LoadBalancer
{
  public:
    static TypeId GetTypeId();
    void Start(const SwitchView& view) override;
    uint32_t Choose(Frame& frame, const PortChoice& choice, Tick now) override;

  private:
    uint32_t FindBest(const PortChoice& choice);

    uint32_t m_gradeBytes{0};
    Time m_timeout;
    uint32_t m_entries{0};
    RandomStream m_random;
    FlowletTable m_flowlets;
};

} // namespace ns3::rdma

#endif // RDMA_ADAPTIVE_BALANCER_H
