// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PACKET_PATH_H
#define RDMA_PACKET_PATH_H

#include "ns3/port-owner.h"
#include "ns3/queue-pair.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-nic
 * @brief The way of packets between a NIC's port and its transports: a path says when, the
 * transports say what.
 */
class PacketPath : public PortOwner
{
  public:
    /// A queue pair may send: its transmitter has something to pick.
    virtual void OnReady(Tick now) = 0;

    /// The host has posted work requests to a queue pair, at least one, and rings once for them.
    virtual void OnPosted(QueuePair& queuePair, uint32_t requests) = 0;

    /// The chip itself has posted a work request to a queue pair: no doorbell, nothing to fetch.
    virtual void OnPostedOnChip(QueuePair& queuePair) = 0;

    /// The queue pair is reset, or is about to be destroyed: what is under way for it is dropped.
    virtual void Forget(uint32_t queuePair) = 0;

    /// The queue pair is about to go to another port. Its completions that are under way go on.
    virtual void Leave(const QueuePair& queuePair) = 0;

    /// The queue pair has come from another port, with all that was posted.
    virtual void Enter(QueuePair& queuePair) = 0;

    /// Doorbells on their way are not for what is posted from here on.
    virtual void ForgetDoorbells(uint32_t queuePair) = 0;
};

} // namespace ns3::rdma

#endif // RDMA_PACKET_PATH_H
