// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_REPS_ENTROPY_H
#define RDMA_REPS_ENTROPY_H

#include "ns3/entropy-selector.h"
#include "ns3/forks.h"

#include <array>

namespace ns3::rdma
{

/**
 * @ingroup rdma-multipath
 * @brief REPS: recycles the last eight good values, and freezes them when a path fails.
 *
 * A good value is written to a ring of eight.  A packet takes the oldest value that was not used
 * since, else a random one.  A timeout freezes the ring: for FreezeTime packets take its values in
 * turn, used or not, so that none takes an unknown path.  The first feedback after that ends the
 * freeze, and packets take random values for a while.
 *
 * Two sources differ, and attributes select one.  The defaults are those of uet-htsim (commit
 * 40ccb05): no exploration at the start; while frozen, packets and good values have a pointer each;
 * after a freeze the ring is cleared and 16 packets explore.  As published (Bonato et al., arXiv
 * 2407.21625 v6): Paths 65536, ExploresBdp and FreezesOnLoss true, OwnFrozenPointer false, so that
 * a bandwidth-delay product of packets explores at the start and after a freeze, the ring is kept,
 * and a good value that arrives during a freeze takes the place that the next packet would read.
 * With both, no freeze begins while packets explore.
 *
 * A frozen ring that never held a value gives random ones.
 */
class RepsEntropy : public Forks<RepsEntropy, EntropySelector>
{
  public:
    static TypeId GetTypeId();
    void Start(const EntropyFacts& facts) override;
    uint32_t GetNext(uint64_t inFlightBytes, Time now) override;
    void OnFeedback(uint32_t entropy, RouteSignal signal, Time now) override;

    /// @return whether packets take the values of the ring in turn.
    bool IsFrozen() const
    {
        return m_isFrozen;
    }

  private:
    /// Values in the ring (both sources).
    static constexpr uint32_t RING{8};

    /// @return a random number below count. A test replaces it.
    virtual uint32_t DrawBelow(uint32_t count);
    void Keep(uint32_t entropy);
    /// @param places one bit each, at least one @return the first of them from the head on
    uint32_t FindFirst(uint8_t places) const;
    uint32_t TakeOldest();
    uint32_t TakeFrozen();
    void Thaw();

    uint32_t m_paths{0};
    Time m_freezeTime;
    bool m_exploresBdp{false};
    bool m_freezesOnLoss{false};
    bool m_hasFrozenPointer{false};

    std::array<uint32_t, RING> m_ring{};
    uint8_t m_valid{0};   ///< One bit per place: not used since it was written.
    uint8_t m_written{0}; ///< One bit per place: holds a value.
    uint8_t m_head{0};    ///< Place that is written next; with one pointer also the frozen place.
    uint8_t m_frozen{0};  ///< Place that is read next while frozen, with a pointer of its own.
    bool m_isFrozen{false};
    uint32_t m_exploring{0}; ///< Packets that still take random values.
    uint32_t m_bdpPackets{0};
    Time m_thawTime; ///< Only if frozen.
    RandomStream m_random;
};

} // namespace ns3::rdma

#endif // RDMA_REPS_ENTROPY_H
