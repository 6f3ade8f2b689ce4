// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_ZIPFIAN_H
#define RDMA_ZIPFIAN_H

#include "ns3/random-stream.h"

#include <cstdint>

namespace ns3::rdma
{

/**
 * @ingroup rdma-kv
 * @brief Numbers 0, 1, ... n - 1 of which i has a probability near (i + 1)^-theta, as YCSB draws
 * them: Gray et al., Quickly Generating Billion-Record Synthetic Databases, SIGMOD 1994.
 *
 * Exact for the first two numbers, an approximation beyond; one random number per draw, whatever
 * the count.  KeyDistribution is exact for all and keeps a table.
 */
class Zipfian
{
  public:
    /// @param count n, at least 1; @param theta at least 0, below 1: YCSB's constant is 0.99
    Zipfian(uint64_t count, double theta);

    /// @param uniform at least 0, below 1
    uint64_t Get(double uniform) const;

    uint64_t Draw(RandomStream& random) const
    {
        return Get(random.NextDouble());
    }

    uint64_t GetCount() const
    {
        return m_count;
    }

    /// More numbers, as YCSB adds records. @param count not below what it was
    void Grow(uint64_t count);

    double GetZeta() const
    {
        return m_zeta;
    }

    double GetEta() const
    {
        return m_eta;
    }

  private:
    uint64_t m_count{0};
    double m_theta;
    double m_alpha;
    double m_zeta2;
    double m_zeta{0}; ///< Sum of i^-theta for i of 1 to n.
    double m_eta{0};
};

/// @return YCSB's hash of a number (FNV-1a of its 8 bytes, without sign): what scatters popular
/// numbers over all.
uint64_t GetYcsbHash(uint64_t number);

} // namespace ns3::rdma

#endif // RDMA_ZIPFIAN_H
