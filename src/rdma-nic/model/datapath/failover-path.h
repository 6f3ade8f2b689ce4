// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FAILOVER_PATH_H
#define RDMA_FAILOVER_PATH_H

#include "ns3/path-selector.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-nic
 * @brief Begins as FixedPath; goes to the next port that is up when the link of its own goes down,
 * or packets are not acknowledged.
 *
 * The first is what bonded ports do (RoCE LAG of ConnectX: the queue pairs of a port whose link
 * fails go to the other), the second what InfiniBand leaves to the channel adapter (automatic path
 * migration, IBTA Vol. 1, Section 17.2.8): a path may fail where the NIC does not see it.
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
