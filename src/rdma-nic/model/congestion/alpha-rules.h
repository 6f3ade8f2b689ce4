// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_ALPHA_RULES_H
#define RDMA_ALPHA_RULES_H

#include "ns3/nstime.h"
#include "ns3/object.h"

namespace ns3::rdma
{

/// DCQCN's attributes that an AlphaRule reads.
struct AlphaParameters
{
    double gain{0};         ///< g.
    double initialAlpha{1}; ///< Alpha until the first CNP.
    Time alphaPeriod;
    Time decreasePeriod;
};

/// State of DCQCN's congestion estimate, per flow; only the AlphaRule changes it.
struct AlphaState
{
    double alpha{1};
    Time since;                 ///< When alpha had this value.
    Time firstCnp{Time::Min()}; ///< Min: none yet.
    bool hasCnp{false};         ///< A CNP has arrived since then and is not yet part of alpha.
};

/**
 * @ingroup rdma-cc
 * @brief How CNPs change DCQCN's congestion estimate alpha, and when they cut the rate.
 *
 * A rule has no state of a flow: all flows of a NIC share one.  Published descriptions of DCQCN
 * differ most in this part.
 */
class AlphaRule : public Object
{
  public:
    static TypeId GetTypeId();

    /// @return the time at which this CNP cuts the rate: now, later, or Time::Max() for never.
    virtual Time OnCnp(AlphaState& state, const AlphaParameters& parameters, Time now) const = 0;

    /// Called after the rate has been cut by alpha / 2. Default: changes nothing.
    virtual void OnCut(AlphaState& state, const AlphaParameters& parameters, Time now) const;

    /// @param now not before the last event
    /// @return alpha at that time.
    virtual double GetAlpha(const AlphaState& state,
                            const AlphaParameters& parameters,
                            Time now) const = 0;
};

/**
 * @ingroup rdma-cc
 * @brief DCQCN's alpha as in Zhu et al. 2015 (section 3.1, Eq. 1 and 2).
 *
 * A CNP first cuts the rate, by alpha / 2, and then raises alpha.  Each AlphaPeriod without a
 * further cut lowers alpha.  CNPs within DecreasePeriod of a cut are ignored; the paper has no such
 * period, since its receivers pace their CNPs.
 */
class PerCnpAlpha : public AlphaRule
{
  public:
    static TypeId GetTypeId();
    Time OnCnp(AlphaState& state, const AlphaParameters& parameters, Time now) const override;
    void OnCut(AlphaState& state, const AlphaParameters& parameters, Time now) const override;
    double GetAlpha(const AlphaState& state,
                    const AlphaParameters& parameters,
                    Time now) const override;
};

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

#endif // RDMA_ALPHA_RULES_H
