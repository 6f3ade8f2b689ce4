// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PATH_KEEPER_H
#define RDMA_PATH_KEEPER_H

#include "ns3/frame.h"
#include "ns3/queue-pair.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-nic
 * @brief Queries of a port's chip to a NIC that has several ports.
 */
class PathKeeper
{
  public:
    virtual ~PathKeeper() = default;

    /// A frame has come for a queue pair that is not at this port.
    /// @return the queue pair, which has come along; null: it does not exist, or stays
    virtual QueuePair* Adopt(const Frame& frame) = 0;

    /// The retransmission timer of a queue pair has expired, and it goes on.
    /// @return whether it has gone to another port, where it has been activated
    virtual bool MoveAfterExpiry(QueuePair& queuePair) = 0;
};

} // namespace ns3::rdma

#endif // RDMA_PATH_KEEPER_H
