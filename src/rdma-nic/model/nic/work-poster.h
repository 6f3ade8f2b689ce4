// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_WORK_POSTER_H
#define RDMA_WORK_POSTER_H

#include "ns3/nic-chip.h"
#include "ns3/post-check.h"

namespace ns3::rdma
{

class PayloadServices;

/**
 * @ingroup rdma-nic
 * @brief Takes work requests: checks them, puts them into their queues and notifies the chip.
 */
class WorkPoster
{
  public:
    /// Both outlive this.
    WorkPoster(NicChip& chip, const TransportFactory& factory);

    // As in RdmaNic.
    void PostWrite(uint32_t queuePair, uint64_t wrId, uint64_t bytes);
    PostResult PostSend(uint32_t queuePair,
                        const SendWorkRequest& request,
                        const SendWorkRequest** bad);
    PostResult PostOnChip(uint32_t queuePair, const SendWorkRequest& request);
    PostResult PostReceive(uint32_t queuePair,
                           const ReceiveWorkRequest& request,
                           const ReceiveWorkRequest** bad);

    /// What the queue pair may send has changed without a post.
    void Continue(QueuePair& queuePair);

  private:
    QueuePair& Get(uint32_t number);
    static bool CanPost(const QueuePair& queuePair);
    /// A WRITE of any length without memory passes the services of its queue pair.
    void PostServedWrite(QueuePair& queuePair,
                         const PayloadServices& services,
                         uint64_t wrId,
                         uint64_t bytes);
    PostResult PostOne(QueuePair& queuePair, const SendWorkRequest& request);
    PostLimits GetPostLimits(const QueuePair& queuePair) const;
    void Start(QueuePair& queuePair, uint32_t requests);
    /// @return whether the queue pair has failed: then what was posted has ended.
    bool Flush(QueuePair& queuePair);

    NicChip& m_chip;
    const TransportFactory& m_factory;
};

} // namespace ns3::rdma

#endif // RDMA_WORK_POSTER_H
