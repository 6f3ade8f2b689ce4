// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/alpha-rules.h"

#include "ns3/register-type.h"

#include <cmath>

namespace ns3::rdma
{

RDMA_REGISTER_BASE(AlphaRule, Object, "RdmaNic");

void
AlphaRule::OnCut(AlphaState&, const AlphaParameters&, Time) const
{
}

RDMA_REGISTER_CLASS(PerCnpAlpha, AlphaRule, "RdmaNic");

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

RDMA_REGISTER_CLASS(PeriodicAlpha, AlphaRule, "RdmaNic");

namespace
{

/// @return the number of whole periods from then to now.
int64_t
CountPeriods(Time then, Time now, Time period)
{
    return (now - then).GetTimeStep() / period.GetTimeStep();
}

} // namespace

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
