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
 * @brief When the flows of a run start: at times of their own, or when other flows have ended.
 *
 * The defaults are those of flows that depend on nothing.
 */
class FlowSchedule
{
  public:
    virtual ~FlowSchedule() = default;

    /// Schedules the first flows.
    virtual void Start() = 0;

    /// @param all state of all ranks @return flows that have started on all ranks, as far as known
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

    /// @return how long messages to other ranks are in flight at least.
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

    /// All ranks have their messages.
    virtual void ForgetSent()
    {
    }

    /// @return events that each rank has in the same way.
    virtual uint64_t GetSharedEvents() const
    {
        return 0;
    }
};

} // namespace ns3::rdma

#endif // RDMA_FLOW_SCHEDULE_H
