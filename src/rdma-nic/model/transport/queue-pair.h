// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_QUEUE_PAIR_H
#define RDMA_QUEUE_PAIR_H

#include "ns3/queue-pair-attributes.h"
#include "ns3/requester.h"
#include "ns3/responder.h"

#include <memory>

namespace ns3::rdma
{

/**
 * @ingroup rdma-transport
 * @brief One end of a reliable connection, as its NIC keeps it.
 *
 * Each half is made when it is first used: in fabric runs most queue pairs only send or only
 * receive.
 */
struct QueuePair
{
    uint32_t number;
    Connection connection;
    std::unique_ptr<Requester> requester;
    std::unique_ptr<Responder> responder;
    Tick timerAt{TICK_NEVER}; ///< When the NIC will look at the requester's deadline.
    bool isScheduled{false};  ///< In the NIC's send scheduler.
};

} // namespace ns3::rdma

#endif // RDMA_QUEUE_PAIR_H
