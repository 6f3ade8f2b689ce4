// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FLOW_ACCOUNT_H
#define RDMA_FLOW_ACCOUNT_H

#include "ns3/flow-cause.h"
#include "ns3/tick.h"

#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/// Number of a port, where an interval has none.
constexpr uint32_t NO_PORT{UINT32_MAX};

/// Where a flow's time went, and where that was.
struct FlowPlace
{
    FlowCause cause{};
    /// WINDOW and CREDIT: what the awaited packet, answer or grant met; else the cause.
    FlowCause within{};
    /// Number in a PortLogs. NAK and TRIMMED: the port whose switch has trimmed the packet.
    uint32_t port{NO_PORT};
    bool isWayBack{false}; ///< Of an answer.

    bool operator==(const FlowPlace& other) const
    {
        return cause == other.cause && within == other.within && port == other.port &&
               isWayBack == other.isWayBack;
    }
};

/// A part of a flow's time.
struct FlowInterval
{
    Tick from;
    Tick until;
    FlowPlace place;
};

/**
 * @ingroup rdma-why
 * @brief Divides the time from a start to an end into intervals, each with one cause.
 *
 * Intervals are added in order of time; each begins where the last one has ended and none goes
 * beyond the end: so they cover the time without gap and without overlap, whatever is added.
 */
class FlowAccount
{
  public:
    FlowAccount(Tick start, Tick end)
        : m_end(end),
          m_cursor(start)
    {
    }

    /// Up to where the time is accounted for.
    Tick GetCursor() const
    {
        return m_cursor;
    }

    Tick GetEnd() const
    {
        return m_end;
    }

    /// All from the cursor to a time went there. Nothing if that is past already.
    void Add(Tick until, const FlowPlace& place);

    /// The same of a cause that is not within a window.
    void Add(Tick until, FlowCause cause, uint32_t port = NO_PORT, bool isWayBack = false)
    {
        Add(until, {cause, cause, port, isWayBack});
    }

    const std::vector<FlowInterval>& GetIntervals() const
    {
        return m_intervals;
    }

    /// @return the sum of a cause.
    Tick Sum(FlowCause cause) const;

    /// @return the sum of all.
    Tick Sum() const;

  private:
    Tick m_end;
    Tick m_cursor;
    std::vector<FlowInterval> m_intervals;
};

} // namespace ns3::rdma

#endif // RDMA_FLOW_ACCOUNT_H
