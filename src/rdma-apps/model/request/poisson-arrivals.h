// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_POISSON_ARRIVALS_H
#define RDMA_POISSON_ARRIVALS_H

#include "ns3/random-stream.h"
#include "ns3/tick.h"

#include <optional>

namespace ns3::rdma
{

/**
 * @ingroup rdma-rpc
 * @brief When the requests of one client arrive in an open loop: exponential intervals, each
 * rounded to the nearest picosecond.
 */
class PoissonArrivals
{
  public:
    /// @param perSecond 0: a closed loop, without arrivals of its own @param end of all arrivals
    PoissonArrivals(double perSecond, Tick end, const RandomStream& random);

    bool IsOpenLoop() const
    {
        return m_perSecond > 0;
    }

    /// @return the next arrival; unset if it would not be before the end. @param now the last one
    std::optional<Tick> Next(Tick now);

    /// @return whether there is one at all. Before the first Next(). @param start of the arrivals
    bool HasAny(Tick start) const;

  private:
    double m_perSecond;
    Tick m_end;
    RandomStream m_random;
};

} // namespace ns3::rdma

#endif // RDMA_POISSON_ARRIVALS_H
