// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_ROUND_ROBIN_BALANCER_H
#define RDMA_ROUND_ROBIN_BALANCER_H

#include "ns3/load-balancer.h"
#include "ns3/random-stream.h"

#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-routing
 * @brief Frames take the ports of a group in turn, in a random order that is drawn again after
 * each round.
 *
 * Each of n ports gets one of n frames: the load is spread as by random spraying, without its
 * bursts.  With a fixed order, switches would be synchronized.
 */
class RoundRobinBalancer : public LoadBalancer
{
  public:
    static TypeId GetTypeId();
    void Start(const SwitchView& view) override;
    void OnRoutes(const SwitchView& view) override;
    uint32_t Choose(Frame& frame, const PortChoice& choice, Tick now) override;

  private:
    /// State of one group of ports.
    struct Round
    {
        std::vector<uint32_t> order;
        uint32_t taken{0}; ///< Number of ports taken in this round.
    };

    void Shuffle(std::vector<uint32_t>& order);

    bool m_shufflesAgain{true};
    RandomStream m_random;
    std::vector<Round> m_rounds; ///< By PortChoice::group.
};

} // namespace ns3::rdma

#endif // RDMA_ROUND_ROBIN_BALANCER_H
