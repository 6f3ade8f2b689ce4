// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PER_CNP_ALPHA_H
#define RDMA_PER_CNP_ALPHA_H

#include "ns3/alpha-rule.h"

namespace ns3::rdma
{

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

} // namespace ns3::rdma

#endif // RDMA_PER_CNP_ALPHA_H
