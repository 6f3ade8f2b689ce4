// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_MIXED_ENTROPY_H
#define RDMA_MIXED_ENTROPY_H

#include "ns3/bitmap-entropy.h"
#include "ns3/forks.h"

namespace ns3::rdma
{

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

#endif // RDMA_MIXED_ENTROPY_H
