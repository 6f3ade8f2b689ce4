// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_WALKING_ENTROPIES_H
#define RDMA_WALKING_ENTROPIES_H

#include "ns3/entropy-selector.h"
#include "ns3/forks.h"

#include <vector>

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

/**
 * @ingroup rdma-multipath
 * @brief Sprays packets over all values, without regard to feedback.
 *
 * Source: uet-htsim, "oblivious".
 */
class ObliviousEntropy : public Forks<ObliviousEntropy, WalkingEntropy>
{
  public:
    static TypeId GetTypeId();
    uint32_t GetNext(uint64_t inFlightBytes, Time now) override;
};

/**
 * @ingroup rdma-multipath
 * @brief Sprays packets over the values without a penalty.
 *
 * A mark, a trimmed packet and a timeout add to the penalty of their value, which has 4 bits.  A
 * value with a penalty is passed over; the first such value of each choice loses one point.
 * After as many passed values as there are, the next one is used in any case.
 *
 * Source: uet-htsim, "bitmap".  That simulator reports a timeout for value 0, since it does not
 * keep the value of the packet.  A lost packet counts as a timeout here (ours).
 */
class BitmapEntropy : public Forks<BitmapEntropy, WalkingEntropy>
{
  public:
    static TypeId GetTypeId();
    void Start(const EntropyFacts& facts) override;
    uint32_t GetNext(uint64_t inFlightBytes, Time now) override;
    void OnFeedback(uint32_t entropy, RouteSignal signal, Time now) override;

  private:
    std::vector<uint8_t> m_penalties; ///< By number of the value.
};

/**
 * @ingroup rdma-multipath
 * @brief Uses values that were good again, oldest first; while there is none, BitmapEntropy
 * chooses.
 *
 * Source: uet-htsim, "mixed", its default.  The list of good values has no limit.  It holds at most
 * as many values as reports have arrived for packets in flight, and its memory grows with the
 * largest such number.
 */
class MixedEntropy : public Forks<MixedEntropy, BitmapEntropy>
{
  public:
    static TypeId GetTypeId();
    void Start(const EntropyFacts& facts) override;
    uint32_t GetNext(uint64_t inFlightBytes, Time now) override;
    void OnFeedback(uint32_t entropy, RouteSignal signal, Time now) override;

  private:
    void Grow();

    std::vector<uint32_t> m_good; ///< A ring; its size is a power of two.
    uint32_t m_first{0};          ///< Place of the oldest value.
    uint32_t m_count{0};
};

} // namespace ns3::rdma

#endif // RDMA_WALKING_ENTROPIES_H
