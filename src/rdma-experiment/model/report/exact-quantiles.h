// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_EXACT_QUANTILES_H
#define RDMA_EXACT_QUANTILES_H

#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-metrics
 * @brief A sample with fast access to any exact quantile.
 *
 * Values are kept in bins that are 0.1 % wide, each unsorted.  A quantile needs the sizes of all
 * bins and the values of one.
 */
class ExactQuantiles
{
  public:
    /// @param value 0 or more
    void Add(int64_t value);

    uint64_t GetCount() const
    {
        return m_count;
    }

    /// @return the sum over the count. At least one value.
    double GetMean() const;

    /// The nearest-rank quantile. At least one value.
    int64_t GetPerMille(uint64_t perMille) const;

  private:
    std::vector<std::vector<int64_t>> m_bins;
    uint64_t m_count{0};
    long double m_sum{0}; ///< Exact up to 2^64, in any order.
};

} // namespace ns3::rdma

#endif // RDMA_EXACT_QUANTILES_H
