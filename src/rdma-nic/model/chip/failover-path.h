// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FAILOVER_PATH_H
#define RDMA_FAILOVER_PATH_H

#include "ns3/path-selector.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-nic
 * @brief Begins as FixedPath; changes to the next port that is up if the link of the present port
 * fails or packets are not acknowledged.
 *
 * Bonded ports react to a failed link (RoCE LAG of ConnectX: the queue pairs of the failed port use
 * the other one). InfiniBand leaves the reaction to missing acknowledgments to the channel adapter
 * (automatic path migration, IBTA Vol. 1, Section 17.2.8): a path may fail where the NIC cannot
 * detect it.
 */
class FailoverPath : public PathSelector
{
  public:
    static TypeId GetTypeId();
    std::optional<uint32_t> Move(const PathTrouble& trouble) const override;

  private:
    uint32_t m_expiries{0};
};

} // namespace ns3::rdma

#endif // RDMA_FAILOVER_PATH_H
