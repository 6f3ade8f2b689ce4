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
 * @brief The port with the least in its queue, among all, for each frame or each flowlet.
 *
 * Queues are compared by grade, a number of bytes, and one of the best grade is drawn: hardware
 * that routes adaptively sees queues in a few steps.  A grade of one byte is the least queue.
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
