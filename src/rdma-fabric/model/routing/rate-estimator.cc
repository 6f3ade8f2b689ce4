// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/rate-estimator.h"

namespace ns3::rdma
{

void
RateEstimator::Add(uint32_t bytes, const RateFilter& filter, Tick now)
{
    m_bytes = Get(filter, now) + bytes;
}

double
RateEstimator::Get(const RateFilter& filter, Tick now)
{
    constexpr double NOTHING{1e-3}; // Bytes: less than any frame.
    while (m_decrementedAt + filter.interval <= now)
    {
        m_bytes *= 1 - filter.gain;
        m_decrementedAt += filter.interval;
        if (m_bytes < NOTHING)
        {
            m_bytes = 0;
            m_decrementedAt = now - now % filter.interval;
        }
    }
    return m_bytes;
}

} // namespace ns3::rdma
