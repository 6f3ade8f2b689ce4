// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RETRANSMISSION_TIMEOUT_H
#define RDMA_RETRANSMISSION_TIMEOUT_H

#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/psn.h"
#include "ns3/tick.h"

#include <cstdint>

namespace ns3::rdma
{

class SmoothedRtt;

/// What a requester waits for when its timer runs.
struct AwaitedAnswer
{
    Tick start;             ///< When the timer started.
    Psn oldest;             ///< The oldest packet that is not acknowledged.
    uint32_t packets;       ///< Not acknowledged in order; 0: only READ responses are awaited.
    uint32_t consecutive;   ///< Expiries in a row without progress.
    uint32_t expiries;      ///< Expiries of this queue pair since it started.
    const SmoothedRtt* rtt; ///< Null: no answer has arrived, or NeedsRtt() is false.
};

/**
 * @ingroup rdma-recovery
 * @brief How long a requester waits for an acknowledgment before it calls
 * LossDetector::OnTimeout().
 *
 * Without state of its own: queue pairs with the same attributes share one object.  The requester
 * keeps the timer, restarted by each new acknowledgment and stopped when the window is empty.
 */
class RetransmissionTimeout : public Object
{
  public:
    static TypeId GetTypeId();

    /// @return from the timer's start, above zero; Time::Max(): never.
    virtual Time Get(const AwaitedAnswer& awaited) const = 0;

    /// @return the same for a queue pair that has a timeout attribute. Default: itself, the
    /// attribute is ignored. @param timeout 4.096 us x 2^n; Time::Max(): never
    virtual Ptr<const RetransmissionTimeout> WithAckTimeout(Time timeout) const;

    /// @return whether AwaitedAnswer::rtt is needed. Called once. Default: false.
    virtual bool NeedsRtt() const;

    /// @return queue pairs for which a NIC has timers. Default: any number.
    virtual uint32_t GetMaxQueuePairs() const;
};

} // namespace ns3::rdma

#endif // RDMA_RETRANSMISSION_TIMEOUT_H
