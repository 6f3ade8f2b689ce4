// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_WALKING_ENTROPY_H
#define RDMA_WALKING_ENTROPY_H

#include "ns3/entropy-selector.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-multipath
 * @brief Base of selectors that walk over all values of a queue pair, each once per round.
 *
 * The values of a queue pair have common random upper bits.  The value at place i of a round is
 * their lower bits i xor mask; each round has a random mask (uet-htsim, commit 40ccb05).  Values
 * have 16 bits, as the entropy values of Ultra Ethernet.
 */
class WalkingEntropy : public EntropySelector
{
  public:
    static TypeId GetTypeId();
    void Start(const EntropyFacts& facts) override;

  protected:
    /// @return the value at the next place of the walk.
    uint32_t Step();

    /// @return the number of an entropy value among the values of the queue pair, from 0.
    uint32_t GetNumber(uint32_t entropy) const
    {
        return entropy & (m_paths - 1);
    }

    uint32_t CountPaths() const
    {
        return m_paths;
    }

  private:
    /// @throws std::invalid_argument if Paths is not a power of two
    void NotifyConstructionCompleted() override;
    /// @return a random number below count. A test replaces it.
    virtual uint32_t DrawBelow(uint32_t count);

    uint32_t m_paths{0};
    uint32_t m_upperBits{0};
    uint32_t m_mask{0};
    uint32_t m_place{0};
    RandomStream m_random;
};

} // namespace ns3::rdma

#endif // RDMA_WALKING_ENTROPY_H
