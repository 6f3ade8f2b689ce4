// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RATE_LIMITER_H
#define RDMA_RATE_LIMITER_H

#include "ns3/tick.h"

#include <algorithm>

namespace ns3::rdma
{

/**
 * @ingroup rdma-hardware
 * @brief A token bucket: frames leave at a mean rate, up to a burst of them at line rate.
 *
 * A timeline: it stores the time at which all sent frames are paid off (the theoretical arrival
 * time of GCRA, ITU-T I.371).  A frame may leave while the debt is at most the burst.  So over any
 * time t at most burst + rate x t plus one frame leave.
 */
class RateLimiter
{
  public:
    /// @param rate of bytes on the wire
    /// @param burstBytes largest debt when a frame leaves; 0: frames are spaced exactly
    RateLimiter(DataRate rate, uint64_t burstBytes)
        : m_rate(rate),
          m_burst(m_rate.GetDuration(burstBytes))
    {
    }

    /// @return when the next frame may leave; may be in the past.
    Tick GetReadyTime() const
    {
        return m_paidAt - std::min(m_paidAt, m_burst);
    }

    /// A frame leaves. @param now not before GetReadyTime()
    void Take(Tick now, uint32_t wireBytes)
    {
        m_paidAt = std::max(m_paidAt, now) + m_rate.GetDuration(wireBytes);
    }

  private:
    SerializationRate m_rate;
    Tick m_burst;
    Tick m_paidAt{0};
};

} // namespace ns3::rdma

#endif // RDMA_RATE_LIMITER_H
