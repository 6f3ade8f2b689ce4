// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FIXED_ENTROPY_H
#define RDMA_FIXED_ENTROPY_H

#include "ns3/entropy-selector.h"
#include "ns3/forks.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-multipath
 * @brief One random value for all packets of a queue pair: one route, as RoCE with ECMP has.
 */
class FixedEntropy : public Forks<FixedEntropy, EntropySelector>
{
  public:
    static TypeId GetTypeId();
    void Start(const EntropyFacts& facts) override;
    uint32_t GetNext(uint64_t inFlightBytes, Time now) override;

  private:
    uint32_t m_value{0};
};

} // namespace ns3::rdma

#endif // RDMA_FIXED_ENTROPY_H
