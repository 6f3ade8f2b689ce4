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

/// What bounds a queue pair whatever its congestion control allows.
struct SendBounds
{
    PathInfo path;
    uint64_t flightCapBytes; ///< Payload in flight at most (IRN's BDP-FC, what the chip tracks).
    DataRate rateLimit{UNLIMITED_RATE}; ///< At the wire, of the queue pair alone.
};

/**
 * @ingroup rdma-transport
 * @brief Applies the limits of one congestion control instance: when the next packet may leave, how
 * much may be in flight.
 *
 * A token bucket of one packet that may go into debt: what was sent is paid off at the present
 * rate, and the next packet leaves when nothing is owed.  So a change of the rate revises a wait
 * that has begun, and what was paid off until then stays paid off.
 *
 * The bounds are given with each event: many queue pairs have the same.
 */
class Pacer
{
  public:
    /// @param control its own instance; @param own of its own path, as far as that is known
    Pacer(Ptr<CongestionControl> control,
          const SendBounds& bounds,
          Tick now,
          const PathFacts& own = {});

    /// @return before which no packet may leave.
    Tick GetNextSendTime() const
    {
        return m_nextSendTime;
    }

    /// @return as congestion control and the queue pair's own limit say; UNLIMITED_RATE if they say
    /// nothing.
    DataRate GetRate() const
    {
        return m_rate;
    }

    uint64_t GetWindowBytes() const
    {
        return m_windowBytes;
    }

    /// @return when to call OnDeadline(); TICK_NEVER: not.
    Tick GetDeadline() const
    {
        return m_reviewAt;
    }

    /// @return whether OnSent() is to be called; otherwise Pace() does.
    bool NeedsOnSent() const
    {
        return CallPolicy(*m_control, "NeedsOnSent()", [&] { return m_control->NeedsOnSent(); });
    }

    /// @param wireBytes of a data packet that leaves now, overhead included
    void Pace(uint32_t wireBytes, Tick now)
    {
        if (!m_pace.IsInstant())
        {
            m_nextSendTime = std::max(m_nextSendTime, now) + m_pace.GetDuration(wireBytes);
        }
    }

    /// Paces it, and notifies congestion control.
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

    /// @return whether the next packet may leave earlier than returned before, as do the next four.
    bool OnAck(const AckEvent& ack, const SendBounds& bounds, Tick now);
    bool OnLoss(const LossEvent& loss, const SendBounds& bounds, Tick now);
    bool OnTimeout(const LossEvent& loss, const SendBounds& bounds, Tick now);
    bool OnCnp(const SendBounds& bounds, Tick now);
    bool OnDeadline(const SendBounds& bounds, Tick now);
    /// The bounds are others than before.
    bool OnBounds(const SendBounds& bounds, Tick now);

    /// No deadline any more: the queue pair has ended.
    void Stop()
    {
        m_reviewAt = TICK_NEVER;
    }

    /// Starts loading what the next event needs.
    [[gnu::always_inline]] void Fetch() const
    {
        FetchLines<3>(PeekPointer(m_control));
    }

    const CongestionControl& GetCongestionControl() const
    {
        return *m_control;
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
    SerializationRate m_pace;        ///< Instant at line rate.
    DataRate m_rate{UNLIMITED_RATE}; ///< As congestion control and the bounds say.
};

} // namespace ns3::rdma

#endif // RDMA_PACER_H
