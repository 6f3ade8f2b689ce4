// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_DEADLOCK_FINDER_H
#define RDMA_DEADLOCK_FINDER_H

#include "ns3/pause-cycle.h"
#include "ns3/rank-group.h"

#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-scenario
 * @brief Finds a cycle of pauses in a fabric that several ranks simulate.
 */
class DeadlockFinder
{
  public:
    /// Both outlive this.
    DeadlockFinder(Fabric& fabric, RankGroup& ranks);

    /// Collective call. @return the cycle (FindPauseCycle()), the same on all ranks; empty: none.
    std::vector<PausedPort> Find();

  private:
    Fabric& m_fabric;
    RankGroup& m_ranks;
};

} // namespace ns3::rdma

#endif // RDMA_DEADLOCK_FINDER_H
