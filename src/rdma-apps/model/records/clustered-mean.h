// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_CLUSTERED_MEAN_H
#define RDMA_CLUSTERED_MEAN_H

#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/// A mean and its confidence interval.
struct MeanEstimate
{
    double mean{0};
    double halfWidth{0}; ///< Of the 95 % confidence interval.
};

/**
 * @ingroup rdma-metrics
 * @brief The mean of a quantity of flows, with a confidence interval that accounts for flows of one
 * server are alike.
 *
 * Flows that meet at a server share its queues for milliseconds: neither flows nor batches of flows
 * by time are independent, but servers nearly are.  So the batches are the flows from each server,
 * and the flows to each: with r of them the sum of (sum - mean x count)^2 over servers, times
 * G / (G - 1) / flows^2, is the variance of a ratio (Cochran, "Sampling Techniques", 3rd ed.,
 * section 6.4), and the variances of both groupings are added (the upper bound of two-way
 * clustering, Cameron, Gelbach and Miller 2011, eq. 2.11).  Student's t with G - 1 degrees of
 * freedom gives the interval.
 *
 * Sums are whole numbers, so that they are the same in any order and on any number of ranks.
 *
 * Not modelled: correlation between flows of different servers by shared links between switches or
 * by PFC pauses that spread over the fabric; the interval is too narrow then.
 */
class ClusteredMean
{
  public:
    /// @param nodes ids are below this number; @param servers how many of them are servers
    ClusteredMean(uint32_t nodes, uint32_t servers);

    void Add(uint32_t src, uint32_t dst, int64_t value);

    /// @return how many values were added.
    int64_t GetCount() const
    {
        return m_count;
    }

    /// @return in the unit of the values; half width 0 with fewer than two values.
    MeanEstimate GetEstimate() const;

  private:
    /// Sums of one server.
    struct Total
    {
        int64_t count{0};
        int64_t sum{0};
    };

    double GetVariance(const std::vector<Total>& totals, double mean) const;

    uint32_t m_servers;
    int64_t m_count{0};
    int64_t m_sum{0};
    std::vector<Total> m_bySource;      ///< By node id.
    std::vector<Total> m_byDestination; ///< By node id.
};

} // namespace ns3::rdma

#endif // RDMA_CLUSTERED_MEAN_H
