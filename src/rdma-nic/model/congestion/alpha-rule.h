// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_ALPHA_RULE_H
#define RDMA_ALPHA_RULE_H

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

} // namespace ns3::rdma

#endif // RDMA_ALPHA_RULE_H
