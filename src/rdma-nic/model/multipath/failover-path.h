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

/**
 * @ingroup rdma-nic
 * @brief A FailoverPath that returns to the port that a queue pair began with.
 *
 * A port whose link has failed is used again UpDelay after the link is up (updelay of Linux bonds,
 * kernel documentation, networking/bonding).  A path that failed elsewhere is tried again after
 * RetryDelay, as NCCL 2.30 does (NCCL_IB_RESILIENCY_PORT_RECOVERY_START_DELAY): the packets that
 * are due are the probe.  If their timer expires Expiries times, the queue pair leaves again.
 *
 * Not modelled: probes that are no data, a limit of attempts
 * (NCCL_IB_RESILIENCY_PORT_RECOVERY_ATTEMPTS_MAX), new queue pairs for failed ones: an application
 * creates these.
 */
class FailbackPath : public FailoverPath
{
  public:
    static TypeId GetTypeId();
    std::optional<Time> GetReturnDelay(ReturnCause cause) const override;

  private:
    Time m_upDelay;
    Time m_retryDelay;
};

} // namespace ns3::rdma

#endif // RDMA_FAILOVER_PATH_H
