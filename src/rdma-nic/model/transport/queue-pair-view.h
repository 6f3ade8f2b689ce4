// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_QUEUE_PAIR_VIEW_H
#define RDMA_QUEUE_PAIR_VIEW_H

#include "ns3/queue-pair.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-transport
 * @brief A read-only view of a queue pair for metrics, traces and applications.
 *
 * The state is a copy; requester, responder and setup are references to the queue pair's own.
 * Valid until the queue pair changes its state or is destroyed.
 */
struct QueuePairView
{
    /// @param usual mark of the NIC's data
    QueuePairView(const QueuePair& queuePair, const FrameMark& usual);

    /// @return messages that have arrived completely; modulo 2^24 on a reliable connection.
    uint64_t GetArrivedMessages() const;

    uint32_t number;
    QpState state;
    Service service;
    FrameMark mark;                        ///< Of its data.
    Connection connection;                 ///< Zeros until its peer is set.
    const QueuePairSetup& setup;           ///< The setup that it was made with.
    const Requester* requester;            ///< Null while it cannot send.
    const Responder* responder;            ///< RC; null while it cannot receive.
    const UnreliableResponder* unreliable; ///< UC and UD; null while it cannot receive.
};

} // namespace ns3::rdma

#endif // RDMA_QUEUE_PAIR_VIEW_H
