// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FLOW_SCHEDULE_H
#define RDMA_FLOW_SCHEDULE_H

#include "ns3/byte-buffer.h"
#include "ns3/tick.h"
#include "ns3/window-loop.h"

#include <cstdint>

namespace ns3::rdma
{

/**
 * @ingroup rdma-scenario
 * @brief Decides when the flows of a run start: at given times, or when other flows have ended.
 *
 * The default implementations are for flows without dependencies.
 */
class FlowSchedule
{
  public:
    virtual ~FlowSchedule() = default;

    /// Schedules the first flows.
    virtual void Start() = 0;

    /// @param all state of all ranks
    /// @return flows that have started on all ranks, as far as known on this rank
    virtual uint64_t CountStarted(const WindowState& all) const = 0;

    /// @return whether all flows have started, on all ranks.
    virtual bool IsAllStarted(const WindowState& all) const = 0;

    /// @return whether further flows will start.
    virtual bool MayStartMore(const WindowState& all) const = 0;

    /// A flow of this rank's senders has completed.
    virtual void OnSent(uint64_t)
    {
    }

    /// A flow is complete at its receiver, which is a server of this rank.
    virtual void OnReceived(uint64_t)
    {
    }

    /// @return whether the receiver of a flow has its completion; true if receivers have none.
    virtual bool IsReceived(uint64_t) const
    {
        return true;
    }

    /// @return the shortest delay of messages to other ranks.
    virtual Tick GetLookahead() const
    {
        return TICK_NEVER;
    }

    /// @return arrival of the first message that other ranks do not have yet.
    virtual Tick GetEarliestSent() const
    {
        return TICK_NEVER;
    }

    /// Appends the messages for a rank.
    virtual void Pack(uint32_t, ByteBuffer&)
    {
    }

    virtual void Unpack(ByteReader&)
    {
    }

    /// Called when all ranks have received their messages.
    virtual void ForgetSent()
    {
    }

    /// @return events that every rank has alike.
    virtual uint64_t GetSharedEvents() const
    {
        return 0;
    }
};

} // namespace ns3::rdma

#endif // RDMA_FLOW_SCHEDULE_H
