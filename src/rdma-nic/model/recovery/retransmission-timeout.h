// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RETRANSMISSION_TIMEOUT_H
#define RDMA_RETRANSMISSION_TIMEOUT_H

#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/psn.h"
#include "ns3/tick.h"

#include <cstdint>
#include <optional>

namespace ns3::rdma
{

class SmoothedRtt;

/// State of a requester whose timer is running.
struct AwaitedAnswer
{
    Tick start;       ///< When the timer started.
    Psn oldest;       ///< The oldest packet that is not acknowledged.
    uint32_t packets; ///< Packets not acknowledged in order; 0: only READ responses are missing.
    uint32_t consecutive;   ///< Consecutive expiries without progress.
    uint32_t expiries;      ///< Expiries of this queue pair since it started.
    const SmoothedRtt* rtt; ///< Null: no answer has arrived, or NeedsRtt() is false.
};

/// Least timeout of a timer that has not expired since the last progress: one of two values.
struct FirstTimeout
{
    Tick few{TICK_NEVER};   ///< While at most fewPackets are not acknowledged.
    Tick many{TICK_NEVER};  ///< Otherwise.
    uint32_t fewPackets{0}; ///< Of AwaitedAnswer::packets.
};

/**
 * @ingroup rdma-recovery
 * @brief Time that a requester waits for an acknowledgment before it calls
 * LossDetector::OnTrigger().
 *
 * An object has no state, so that queue pairs with the same attributes share it.  The requester has
 * the timer: each new acknowledgment restarts it, and it stops when the window is empty.
 */
class RetransmissionTimeout : public Object
{
  public:
    static TypeId GetTypeId();

    /// @return the timeout from the timer's start, above zero; Time::Max(): never.
    virtual Time Get(const AwaitedAnswer& awaited) const = 0;

    /// @return a lower bound of Get() while AwaitedAnswer::consecutive is 0: then Get() is called
    /// when this time has passed, instead of at each start of the timer. Called once. Default:
    /// unset.
    virtual std::optional<FirstTimeout> GetFirst() const
    {
        return std::nullopt;
    }

    /// @param timeout 4.096 us x 2^n; Time::Max(): never
    /// @return the object for a queue pair with a timeout of its own. Default: this object, which
    /// ignores that timeout.
    virtual Ptr<const RetransmissionTimeout> WithAckTimeout(Time /*timeout*/) const
    {
        return this;
    }

    /// @return whether AwaitedAnswer::rtt is needed. Called once. Default: false.
    virtual bool NeedsRtt() const
    {
        return false;
    }

    /// @return the number of queue pairs for which a NIC has timers. Default: unlimited.
    virtual uint32_t GetMaxQueuePairs() const
    {
        return UINT32_MAX;
    }
};

} // namespace ns3::rdma

#endif // RDMA_RETRANSMISSION_TIMEOUT_H
