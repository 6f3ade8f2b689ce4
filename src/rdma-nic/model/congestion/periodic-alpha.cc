// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/periodic-alpha.h"

#include <cmath>

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(PeriodicAlpha);

namespace
{

/// @return the number of whole periods from then to now.
int64_t
CountPeriods(Time then, Time now, Time period)
{
    return (now - then).GetTimeStep() / period.GetTimeStep();
}

} // namespace

TypeId
PeriodicAlpha::GetTypeId()
{
    static TypeId tid = TypeId("ns3::rdma::PeriodicAlpha")
                            .SetParent<AlphaRule>()
                            .SetGroupName("RdmaNic")
                            .AddConstructor<PeriodicAlpha>();
    return tid;
}

Time
PeriodicAlpha::OnCnp(AlphaState& state, const AlphaParameters& parameters, Time now) const
{
    if (state.firstCnp == Time::Min())
    {
        state = {parameters.initialAlpha, now, now, false};
    }
    else
    {
        const int64_t periods = CountPeriods(state.since, now, parameters.alphaPeriod);
        state.alpha = GetAlpha(state, parameters, now);
        state.since += periods * parameters.alphaPeriod;
        state.hasCnp = true;
    }
    if (parameters.decreasePeriod.IsZero())
    {
        return now;
    }
    const int64_t cuts = CountPeriods(state.firstCnp, now, parameters.decreasePeriod);
    return state.firstCnp + (cuts + 1) * parameters.decreasePeriod;
}

double
PeriodicAlpha::GetAlpha(const AlphaState& state, const AlphaParameters& parameters, Time now) const
{
    if (state.firstCnp == Time::Min())
    {
        return parameters.initialAlpha;
    }
    const int64_t periods = CountPeriods(state.since, now, parameters.alphaPeriod);
    if (periods == 0)
    {
        return state.alpha;
    }
    // CNPs can only belong to the first of these periods, since each CNP updates `since`.
    const double first = (1 - parameters.gain) * state.alpha + (state.hasCnp ? parameters.gain : 0);
    return first * std::pow(1 - parameters.gain, static_cast<double>(periods - 1));
}

} // namespace ns3::rdma
