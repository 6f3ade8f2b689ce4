// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SEND_SCHEDULER_H
#define RDMA_SEND_SCHEDULER_H

#include "ns3/object.h"
#include "ns3/tick.h"

#include <cstdint>
#include <optional>

namespace ns3::rdma
{

/**
 * @ingroup rdma-hardware
 * @brief Decides which queue pair sends the next packet.  One instance per NIC.
 *
 * It knows the number of each queue pair and when it may send, not its packets.
 */
class SendScheduler : public Object
{
  public:
    static TypeId GetTypeId();

    /// Adds a queue pair that has a packet to send and is not in the scheduler.
    /// @param readyAt earliest time at which it may send
    virtual void Add(uint32_t queuePair, Tick readyAt, Tick now) = 0;

    /// A queue pair may send earlier than announced. No effect if it is not in the scheduler or the
    /// new time is not earlier.
    virtual void Advance(uint32_t queuePair, Tick readyAt) = 0;

    /// @return the next queue pair, which is removed; unset if none is ready.
    virtual std::optional<uint32_t> Pick(Tick now) = 0;

    /// @return the queue pair that Pick() will probably return next, to be prefetched from memory
    /// (docs/extend/speed-hints.md). Called after each Pick(). Default: unset, unknown.
    virtual std::optional<uint32_t> GetLikely() const;

    /// @return when Pick() will return a queue pair: now or later; TICK_NEVER if the scheduler is
    /// empty.
    virtual Tick GetNextReady(Tick now) const = 0;
};

} // namespace ns3::rdma

#endif // RDMA_SEND_SCHEDULER_H
