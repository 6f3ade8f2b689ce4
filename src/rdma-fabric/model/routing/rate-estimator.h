// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_RATE_ESTIMATOR_H
#define RDMA_RATE_ESTIMATOR_H

#include "ns3/tick.h"

namespace ns3::rdma
{

/// Parameters of an estimator; the same for all ports of a fabric.
struct RateFilter
{
    Tick interval; ///< Between two decrements. More than zero.
    double gain;   ///< Share of the register that a decrement removes, more than 0, below 1.
};

/**
 * @ingroup rdma-routing
 * @brief Discounting rate estimator: a register that grows by each frame's bytes and loses a share
 * of itself in each interval (CONGA, Alizadeh et al. 2014, section 3.2).
 *
 * At a constant rate R it settles at R * interval / gain.
 */
class RateEstimator
{
  public:
    void Add(uint32_t bytes, const RateFilter& filter, Tick now);

    /// @param now not earlier than in the last call
    /// @return the bytes in the register.
    double Get(const RateFilter& filter, Tick now);

  private:
    double m_bytes{0};
    Tick m_decrementedAt{0}; ///< Time of the last decrement: a multiple of the interval.
};

} // namespace ns3::rdma

#endif // RDMA_RATE_ESTIMATOR_H
