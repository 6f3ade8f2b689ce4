// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PACER_H
#define RDMA_PACER_H

#include "ns3/congestion-control.h"
#include "ns3/tick.h"

#include <algorithm>

namespace ns3::rdma
{

/**
 * @ingroup rdma-transport
 * @brief Obeys one congestion control instance: when the next packet may leave, how much may be in
 * flight.
 */
class Pacer
{
  public:
    /// @param control its own instance; @param flightCapBytes payload in flight at most, whatever
    /// the algorithm allows (IRN's BDP-FC)
    Pacer(Ptr<CongestionControl> control, const PathInfo& path, uint64_t flightCapBytes, Tick now);

    /// @return before which no packet may leave.
    Tick GetNextSendTime() const
    {
        return m_nextSendTime;
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

    /// @param wireBytes of a data packet that leaves now, overhead included
    void OnSent(uint32_t wireBytes, Tick now)
    {
        if (m_isPaced)
        {
            m_nextSendTime = std::max(m_nextSendTime, now) + m_pace.GetDuration(wireBytes);
        }
        if (m_control->OnSent(wireBytes, ToTime(now)))
        {
            TakeLimit();
        }
    }

    void OnAck(const AckEvent& ack);
    void OnCnp(Tick now);
    void OnDeadline(Tick now);

    /// No deadline any more: the queue pair has ended.
    void Stop()
    {
        m_reviewAt = TICK_NEVER;
    }

    const CongestionControl& GetCongestionControl() const
    {
        return *m_control;
    }

  private:
    void TakeLimit();

    Tick m_nextSendTime{0};
    uint64_t m_windowBytes{0};
    Tick m_reviewAt{TICK_NEVER};
    Ptr<CongestionControl> m_control;
    SerializationRate m_pace;
    bool m_isPaced{false}; ///< Below line rate. Up to here: each packet.
    DataRate m_rate;
    DataRate m_lineRate;
    uint64_t m_flightCapBytes;
};

} // namespace ns3::rdma

#endif // RDMA_PACER_H
