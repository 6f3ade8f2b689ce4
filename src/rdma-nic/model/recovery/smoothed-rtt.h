// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SMOOTHED_RTT_H
#define RDMA_SMOOTHED_RTT_H

#include "ns3/tick.h"

#include <algorithm>
#include <cmath>

namespace ns3::rdma
{

/**
 * @ingroup rdma-recovery
 * @brief Smoothed round-trip time and its variation (RFC 6298, section 2, with its gains).
 */
class SmoothedRtt
{
  public:
    /// @param rtt of one transmission of a packet
    void Add(Tick rtt)
    {
        const auto sample = static_cast<double>(rtt);
        if (m_smoothed < 0)
        {
            m_smoothed = sample;
            m_variation = sample / 2;
            return;
        }
        m_variation += (std::abs(m_smoothed - sample) - m_variation) / 4;
        m_smoothed += (sample - m_smoothed) / 8;
    }

    bool HasSamples() const
    {
        return m_smoothed >= 0;
    }

    /// Only after the first sample.
    /// @param granularity of the clock
    /// @return the timeout without bounds.
    Time GetTimeout(Time granularity) const
    {
        const auto least = static_cast<double>(granularity.GetPicoSeconds());
        return PicoSeconds(std::llround(m_smoothed + std::max(least, 4 * m_variation)));
    }

  private:
    double m_smoothed{-1}; ///< SRTT, ps; below zero: no sample yet.
    double m_variation{0}; ///< RTTVAR, ps.
};

} // namespace ns3::rdma

#endif // RDMA_SMOOTHED_RTT_H
