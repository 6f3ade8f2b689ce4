// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_WORK_TIME_H
#define RDMA_WORK_TIME_H

#include "ns3/keys.h"
#include "ns3/nstime.h"
#include "ns3/random-stream.h"
#include "ns3/tick.h"

#include <cstdint>

namespace ns3::rdma
{

/**
 * @ingroup rdma-collective
 * @brief The distribution of the time that a rank computes, by its mean and its standard deviation.
 *
 * A draw is at most 1,000 means, which cuts off the tail of a lognormal distribution.
 */
class WorkTime
{
  public:
    /// Declares "time", "distribution" and "variation".
    void Visit(Keys& keys);

    /// @return a time. A constant one takes no number from the stream.
    Tick Draw(RandomStream& stream) const;

    /// @return the longest draw that is possible.
    Tick GetMost() const;

  private:
    enum class Distribution : uint8_t
    {
        CONSTANT,
        UNIFORM,
        EXPONENTIAL,
        LOGNORMAL,
    };

    double DrawFactor(RandomStream& stream) const;

    Time m_mean;
    Distribution m_distribution{Distribution::CONSTANT};
    double m_variation{0}; ///< Standard deviation over mean.
};

} // namespace ns3::rdma

#endif // RDMA_WORK_TIME_H
