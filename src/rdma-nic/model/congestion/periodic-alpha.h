// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PERIODIC_ALPHA_H
#define RDMA_PERIODIC_ALPHA_H

#include "ns3/alpha-rule.h"

namespace ns3::rdma
{

/**
 * @ingroup rdma-cc
 * @brief DCQCN's alpha as NVIDIA documents it for its adapters, and as in HPCC's simulator.
 *
 * The first CNP starts two clocks.  Once per AlphaPeriod (NVIDIA dce_tcp_rtt) alpha rises if a CNP
 * arrived in that period, otherwise it falls; the first CNP itself only sets it to InitialAlpha.
 * Once per DecreasePeriod (rate_reduce_monitor_period) the rate is cut by the current alpha / 2 if
 * a CNP arrived in the period.
 */
class PeriodicAlpha : public AlphaRule
{
  public:
    static TypeId GetTypeId();
    Time OnCnp(AlphaState& state, const AlphaParameters& parameters, Time now) const override;
    double GetAlpha(const AlphaState& state,
                    const AlphaParameters& parameters,
                    Time now) const override;
};

} // namespace ns3::rdma

#endif // RDMA_PERIODIC_ALPHA_H
