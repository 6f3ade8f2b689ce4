// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PACER_H
#define RDMA_PACER_H

#include "ns3/congestion-control.h"
#include "ns3/fetch-lines.h"
#include "ns3/path-finder.h"
#include "ns3/policy-error.h"
#include "ns3/tick.h"

#include <algorithm>

namespace ns3::rdma
{

/// Bounds of a queue pair in addition to its congestion control.
struct SendBounds
{
    PathInfo path;
    uint64_t flightCapBytes; ///< Payload in flight at most (IRN's BDP-FC, what the chip tracks).
    DataRate rateLimit{UNLIMITED_RATE}; ///< Of this queue pair, in bytes on the wire.
};

/**
 * @ingroup rdma-transport
 * @brief Applies the limits of one congestion control instance: the time of the next packet and the
 * bytes in flight.
 *
 * A token bucket of one packet that may be in debt: sent bytes are paid off at the present rate,
 * and the next packet leaves when the debt is zero.  A change of the rate therefore changes a delay
 * that has begun: it applies to the debt that is left.
 *
 * The bounds are a parameter of each event, since many queue pairs share them.
 */
class Pacer
{
  public:
    /// @param control its own instance; @param own facts of its own path, as far as known
    Pacer(Ptr<CongestionControl> control,
          const SendBounds& bounds,
          Tick now,
          const PathFacts& own = {});

    /// @return the earliest time at which a packet may leave.
    Tick GetNextSendTime() const
    {
        return m_nextSendTime;
    }

    /// @return the lower of the rate of congestion control and the queue pair's own limit;
    /// UNLIMITED_RATE if neither limits.
    DataRate GetRate() const
    {
        return m_rate;
    }

    uint64_t GetWindowBytes() const
    {
        return m_windowBytes;
    }

    /// @return when to call OnDeadline(); TICK_NEVER: never.
    Tick GetDeadline() const
    {
        return m_reviewAt;
    }

    /// @return whether OnSent() is to be called; otherwise Pace() does.
    bool NeedsOnSent() const
    {
        return CallPolicy(*m_control, "NeedsOnSent()", [&] { return m_control->NeedsOnSent(); });
    }

    /// @param wireBytes size of a data packet that leaves now, overhead included
    void Pace(uint32_t wireBytes, Tick now)
    {
        if (!m_pace.IsInstant())
        {
            m_nextSendTime = std::max(m_nextSendTime, now) + m_pace.GetDuration(wireBytes);
        }
    }

    /// As Pace(), and notifies congestion control.
    void OnSent(uint32_t wireBytes, const SendBounds& bounds, Tick now)
    {
        Pace(wireBytes, now);
        const bool isNew = CallPolicy(*m_control, "OnSent()", [&] {
            return m_control->OnSent(wireBytes, ToTime(now));
        });
        if (isNew)
        {
            TakeLimit(bounds, now);
        }
    }

    /// @return whether the next packet may leave earlier than at the last GetNextSendTime(); the
    /// same for the next five functions.
    bool OnAck(const AckEvent& ack, const SendBounds& bounds, Tick now);
    bool OnLoss(const LossEvent& loss, const SendBounds& bounds, Tick now);
    bool OnTrim(const TrimEvent& trim, const SendBounds& bounds, Tick now);
    bool OnTimeout(const LossEvent& loss, const SendBounds& bounds, Tick now);
    bool OnCnp(const SendBounds& bounds, Tick now);
    bool OnDeadline(const SendBounds& bounds, Tick now);
    /// The bounds have changed. @return as OnAck()
    bool OnBounds(const SendBounds& bounds, Tick now);

    /// The queue pair has ended: removes the deadline.
    void Stop()
    {
        m_reviewAt = TICK_NEVER;
    }

    /// Prefetches the memory that the next event reads.
    [[gnu::always_inline]] void Fetch() const
    {
        FetchLines<3>(PeekPointer(m_control));
    }

    const CongestionControl& GetCongestionControl() const
    {
        return *m_control;
    }

    /// @return the same, to be kept when the queue pair ends.
    const Ptr<CongestionControl>& HoldCongestionControl() const
    {
        return m_control;
    }

  private:
    /// @return as OnAck()
    bool TakeLimit(const SendBounds& bounds, Tick now);
    void TakeRate(DataRate rate, const SendBounds& bounds, Tick now);
    [[noreturn, gnu::cold]] void FailWindow() const;
    [[noreturn, gnu::cold]] void FailDeadline(Tick now) const;

    Tick m_nextSendTime{0};
    uint64_t m_windowBytes{0};
    Tick m_reviewAt{TICK_NEVER};
    Ptr<CongestionControl> m_control;
    SerializationRate m_pace;        ///< Takes no time at line rate.
    DataRate m_rate{UNLIMITED_RATE}; ///< The lower of congestion control's rate and the bounds.
};

} // namespace ns3::rdma

#endif // RDMA_PACER_H
