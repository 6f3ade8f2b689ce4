// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FLOWLET_BALANCER_H
#define RDMA_FLOWLET_BALANCER_H

#include "ns3/flowlet-table.h"
#include "ns3/load-balancer.h"
#include "ns3/random-stream.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-routing
 * @brief Flowlets: after a pause of at least Timeout a flow takes a random port; otherwise its
 * frame takes the port of the last one (LetFlow, Vanini et al. 2017, section 3).
 *
 * A pause longer than the difference of the paths' delays lets the flow change its path without
 * reordering.
 */
class FlowletBalancer : public LoadBalancer
{
  public:
    static TypeId GetTypeId();
    void Start(const SwitchView& view) override;
    uint32_t Choose(Frame& frame, const PortChoice& choice, Tick now) override;

  private:
    Time m_timeout;
    uint32_t m_entries{0};
    RandomStream m_random;
    FlowletTable m_flowlets;
};

} // namespace ns3::rdma

#endif // RDMA_FLOWLET_BALANCER_H
