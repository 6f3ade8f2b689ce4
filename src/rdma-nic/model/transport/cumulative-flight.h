// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_CUMULATIVE_FLIGHT_H
#define RDMA_CUMULATIVE_FLIGHT_H

#include "ns3/flight-state.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-transport
 * @brief The flight of IBTA, IRN and SRNIC: acknowledgments are cumulative, and one timer runs for
 * the oldest packet (IBTA Vol. 1, Section 9.9.2).
 *
 * If the responder keeps packets out of order, the window does not limit retransmissions: each
 * replaces a packet that has left the fabric and is still counted (IRN section 3.1 bounds new
 * packets only).  If it keeps none (go-back-N), sending and the count of bytes in flight restart at
 * the missing packet: a retransmission beyond a window that has shrunk is delayed, as in HPCC's
 * simulator.
 *
 * It has no state besides FlightState: the requester makes it for each call, which the compiler
 * inlines.
 */
class CumulativeFlight
{
  public:
    explicit CumulativeFlight(FlightState& state)
        : m_state(state)
    {
    }

    /// @return as Flight::CanSend().
    [[gnu::always_inline]] static bool CanSend(const FlightState& state)
    {
        const uint64_t windowBytes = state.pacer.GetWindowBytes();
        return state.window.HasLost()
                   ? CanResend(state, windowBytes)
                   : !state.isBroken && state.window.CanSendNext(windowBytes, *state.rules);
    }

    /// As Flight::UpdateTimer().
    [[gnu::always_inline]] void UpdateTimer(bool hasAdvanced, Tick now)
    {
        if (m_state.window.IsAllAcknowledged() && !m_state.window.AwaitsReads())
        {
            m_state.timer.Stop();
        }
        else if (hasAdvanced || m_state.window.IsAllAcknowledged())
        {
            m_state.timer.ForgetRetries();
            StartTimer(now);
        }
    }

    /// Starts the timer for the packets that are not acknowledged, after an answer or the first
    /// packet.
    [[gnu::always_inline]] void StartTimer(Tick now)
    {
        const auto& first = m_state.rules->firstTimeout;
        if (first && m_state.timer.GetRetries() == 0)
        {
            const uint64_t packets = m_state.window.GetNext() - m_state.window.GetUnacked();
            m_state.timer.Start(*first, packets, now);
        }
        else
        {
            m_state.timer.Start(*m_state.rules->timeout, m_state.GetAwaited(now));
        }
    }

    /// As Flight::OnDeadline().
    bool OnDeadline(Tick now);

  private:
    static bool CanResend(const FlightState& state, uint64_t windowBytes);
    /// @return bytes to be sent again.
    uint64_t ResendAfterTimeout(Tick now);

    FlightState& m_state;
};

} // namespace ns3::rdma

#endif // RDMA_CUMULATIVE_FLIGHT_H
