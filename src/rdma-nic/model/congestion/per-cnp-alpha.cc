// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/per-cnp-alpha.h"

#include <cmath>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(PerCnpAlpha);

TypeId
PerCnpAlpha::GetTypeId()
{
    static TypeId tid = TypeId("ns3::rdma::PerCnpAlpha")
                            .SetParent<AlphaRule>()
                            .SetGroupName("RdmaNic")
                            .AddConstructor<PerCnpAlpha>();
    return tid;
}

Time
PerCnpAlpha::OnCnp(AlphaState& state, const AlphaParameters& parameters, Time now) const
{
    if (state.firstCnp == Time::Min())
    {
        state = {parameters.initialAlpha, now, now, false};
        return now;
    }
    return now < state.since + parameters.decreasePeriod ? Time::Max() : now;
}

void
PerCnpAlpha::OnCut(AlphaState& state, const AlphaParameters& parameters, Time now) const
{
    const double alpha = GetAlpha(state, parameters, now);
    state.alpha = (1 - parameters.gain) * alpha + parameters.gain;
    state.since = now;
}

double
PerCnpAlpha::GetAlpha(const AlphaState& state, const AlphaParameters& parameters, Time now) const
{
    if (state.firstCnp == Time::Min())
    {
        return parameters.initialAlpha;
    }
    const int64_t periods =
        (now - state.since).GetTimeStep() / parameters.alphaPeriod.GetTimeStep();
    return state.alpha * std::pow(1 - parameters.gain, static_cast<double>(periods));
}

} // namespace ns3::rdma
