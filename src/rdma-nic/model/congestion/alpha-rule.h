// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_ALPHA_RULE_H
#define RDMA_ALPHA_RULE_H

#include "ns3/nstime.h"
#include "ns3/object.h"

namespace ns3::rdma
{

/// Of DCQCN's attributes, those that a rule reads.
struct AlphaParameters
{
    double gain{0};         ///< g.
    double initialAlpha{1}; ///< Until the first CNP.
    Time alphaPeriod;
    Time decreasePeriod;
};

/// What DCQCN keeps of its congestion estimate, per flow; only its rule changes it.
struct AlphaState
{
    double alpha{1};
    Time since;                 ///< Alpha had that value then.
    Time firstCnp{Time::Min()}; ///< Min: none yet.
    bool hasCnp{false};         ///< One came since then, and is not in alpha.
};

/**
 * @ingroup rdma-cc
 * @brief How CNPs move DCQCN's congestion estimate alpha, and when they cut the rate.
 *
 * Holds no flow's state: all flows of a NIC share one.  Published descriptions of DCQCN differ here
 * more than anywhere else.
 */
class AlphaRule : public Object
{
  public:
    static TypeId GetTypeId();

    /// @return when this CNP is to cut the rate: now, later, or Time::Max() if it does not.
    virtual Time OnCnp(AlphaState& state, const AlphaParameters& parameters, Time now) const = 0;

    /// The rate has just been cut by alpha / 2. Default: changes nothing.
    virtual void OnCut(AlphaState& state, const AlphaParameters& parameters, Time now) const;

    /// @return alpha at that time, which is not before the last event.
    virtual double GetAlpha(const AlphaState& state,
                            const AlphaParameters& parameters,
                            Time now) const = 0;
};

} // namespace ns3::rdma

#endif // RDMA_ALPHA_RULE_H
