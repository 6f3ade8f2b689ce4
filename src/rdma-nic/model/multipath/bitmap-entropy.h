// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_BITMAP_ENTROPY_H
#define RDMA_BITMAP_ENTROPY_H

#include "ns3/forks.h"
#include "ns3/walking-entropy.h"

#include <vector>

namespace ns3::rdma
{

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

} // namespace ns3::rdma

#endif // RDMA_BITMAP_ENTROPY_H
