// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_OBLIVIOUS_ENTROPY_H
#define RDMA_OBLIVIOUS_ENTROPY_H

#include "ns3/forks.h"
#include "ns3/walking-entropy.h"

namespace ns3::rdma
{

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

} // namespace ns3::rdma

#endif // RDMA_OBLIVIOUS_ENTROPY_H
