// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SPRAY_BALANCER_H
#define RDMA_SPRAY_BALANCER_H

#include "ns3/load-balancer.h"
#include "ns3/random-stream.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-routing
 * @brief A random port for each frame, independent of the queues (random packet spraying, Dixit et
 * al. 2013).
 */
class SprayBalancer : public LoadBalancer
{
  public:
    static TypeId GetTypeId();
    void Start(const SwitchView& view) override;
    uint32_t Choose(Frame& frame, const PortChoice& choice, Tick now) override;

  private:
    RandomStream m_random;
};

} // namespace ns3::rdma

#endif // RDMA_SPRAY_BALANCER_H
