// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RESEND_QUEUE_H
#define RDMA_RESEND_QUEUE_H

#include "ns3/loss-recovery.h"
#include "ns3/packet-ranges.h"
#include "ns3/send-queue.h"

namespace ns3::rdma
{

/// Numbers of packets that were sent and are not acknowledged: first up to, not including, end.
struct NumberWindow
{
    uint64_t first;
    uint64_t end;
};

/**
 * @ingroup rdma-transport
 * @brief The packets that wait to be sent again, in the order of their numbers.
 */
class ResendQueue : public PacketRanges
{
  public:
    /**
     * Adds what loss recovery answered to a call. Throws a PolicyError for a packet outside of the
     * window.
     * @return the payload of what it named, bytes
     */
    uint64_t Apply(const LossRecovery& recovery,
                   const char* call,
                   const ResendList& answer,
                   const NumberWindow& window,
                   const SendQueue& queue);
};

} // namespace ns3::rdma

#endif // RDMA_RESEND_QUEUE_H
