// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/poisson-arrivals.h"

#include <cmath>

namespace ns3::rdma
{

PoissonArrivals::PoissonArrivals(double perSecond, Tick end, const RandomStream& random)
    : m_perSecond(perSecond),
      m_end(end),
      m_random(random)
{
}

std::optional<Tick>
PoissonArrivals::Next(Tick now)
{
    constexpr double PS_PER_SECOND{1e12};
    // Inverse transform of the exponential distribution.
    const double interval = -PS_PER_SECOND / m_perSecond * std::log1p(-m_random.NextDouble());
    if (interval >= static_cast<double>(m_end - now))
    {
        return std::nullopt; // Perhaps too long for a Tick.
    }
    const Tick at = now + static_cast<Tick>(std::floor(interval + 0.5));
    return at < m_end ? std::optional(at) : std::nullopt;
}

bool
PoissonArrivals::HasAny(Tick start) const
{
    PoissonArrivals copy = *this;
    return copy.Next(start).has_value();
}

} // namespace ns3::rdma
