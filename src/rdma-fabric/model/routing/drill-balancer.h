// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_DRILL_BALANCER_H
#define RDMA_DRILL_BALANCER_H

#include "ns3/load-balancer.h"
#include "ns3/random-stream.h"

#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-routing
 * @brief DRILL(d, m): each frame takes the shortest of d random queues and of the m that were the
 * shortest for the frames before (Ghorbani et al. 2017, section 3.2).
 *
 * With m = 0 it is the power of d choices (Mitzenmacher 2001).  The length of a queue is the bytes
 * queued at a port in all priorities; of equal queues the one drawn first is taken.
 *
 * Not modelled: several forwarding engines with a memory each (section 3.2.2), since one serves the
 * whole switch; delayed queue lengths.
 */
class DrillBalancer : public LoadBalancer
{
  public:
    static TypeId GetTypeId();
    void Start(const SwitchView& view) override;
    void OnRoutes(const SwitchView& view) override;
    uint32_t Choose(Frame& frame, const PortChoice& choice, Tick now) override;

  private:
    /// Candidates of a group whose queues were the shortest, the latest first.
    using Memory = std::vector<uint32_t>;

    uint32_t m_samples{0};
    uint32_t m_memory{0};
    RandomStream m_random;
    std::vector<Memory> m_shortest; ///< By PortChoice::group.
};

} // namespace ns3::rdma

#endif // RDMA_DRILL_BALANCER_H
