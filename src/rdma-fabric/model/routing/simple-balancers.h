// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SIMPLE_BALANCERS_H
#define RDMA_SIMPLE_BALANCERS_H

#include "ns3/ecmp-hash.h"
#include "ns3/load-balancer.h"
#include "ns3/random-stream.h"

#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-routing
 * @brief Equal-cost multi-path: a hash of the flow, seeded per switch (RFC 2992).
 *
 * Frame::entropy stands for the 5-tuple that a switch hashes.  Seeds differ between switches:
 * otherwise a second tier would repeat the first one's choice (polarisation).  The hash is reduced
 * by multiplication instead of RFC 2992's regions: equally even, one instruction.
 */
class EcmpBalancer : public LoadBalancer
{
  public:
    static TypeId GetTypeId();
    void Start(const SwitchView& view) override;
    uint32_t Choose(Frame& frame, const PortChoice& choice, Tick now) override;
    std::optional<uint32_t> ChooseForFlow(uint32_t entropy, uint32_t count) const override;

    /// @return the hash of this switch. Only after Start().
    const EcmpHash& GetHash() const
    {
        return m_hash;
    }

  private:
    EcmpHash m_hash;
};

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

#endif // RDMA_SIMPLE_BALANCERS_H
