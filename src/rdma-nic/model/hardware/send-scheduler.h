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
 * Identifies queue pairs by number and by when they may send; what and whether they send is theirs.
 */
class SendScheduler : public Object
{
  public:
    static TypeId GetTypeId();

    /// A queue pair that is not in the scheduler has a packet to send. @param readyAt not before
    /// then
    virtual void Add(uint32_t queuePair, Tick readyAt, Tick now) = 0;

    /// A queue pair may send earlier than announced. One that is not in the scheduler, or is not to
    /// be earlier, stays as it is.
    virtual void Advance(uint32_t queuePair, Tick readyAt) = 0;

    /// @return the queue pair whose turn it is, taken out; unset if none is ready.
    virtual std::optional<uint32_t> Pick(Tick now) = 0;

    /// @return the queue pair that Pick() will probably give next: it is fetched from memory early
    /// (docs/speed-hints.md). Called after each Pick(). Default: unset, unknown.
    virtual std::optional<uint32_t> GetLikely() const;

    /// @return when Pick() will give something: now or later, TICK_NEVER if the scheduler is empty.
    virtual Tick GetNextReady(Tick now) const = 0;
};

} // namespace ns3::rdma

#endif // RDMA_SEND_SCHEDULER_H
