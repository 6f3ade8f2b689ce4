// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FLOW_SIZE_CDF_H
#define RDMA_FLOW_SIZE_CDF_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// One corner of a cumulative distribution of flow sizes.
struct FlowSizePoint
{
    double bytes;
    double probability; ///< That a flow has at most so many bytes, in [0, 1].
};

/**
 * @ingroup rdma-workload
 * @brief A piecewise-linear distribution of flow sizes.
 *
 * Sizes between two corners are equally likely, as in the traffic generator of the HPCC family. Two
 * corners with one size are a step (that size has its own probability); two corners with one
 * probability are a gap (no flow has a size in between).
 */
class FlowSizeCdf
{
  public:
    static constexpr const char* EXTENSION{".cdf"}; ///< Of files.

    /**
     * Reads "bytes probability" lines; '#' starts a comment line.
     *
     * The first probability is 0 and the last 1, or 100 when the file is in percent.
     *
     * @throws InputError naming file and line if a column falls, a point is repeated, the first or
     * last probability is another, a number is negative or none, or there are fewer than two points
     */
    static FlowSizeCdf Read(const std::string& path);

    /// @throws InputError naming the point ("size distribution:3") under the same conditions.
    explicit FlowSizeCdf(std::vector<FlowSizePoint> points);

    /// @return the exact mean of the distribution in bytes, before sizes are rounded to whole
    /// bytes.
    double GetMeanBytes() const;

    /**
     * Inverse transform.
     *
     * @param uniform a number in [0, 1)
     * @return the size with that cumulative probability in whole bytes, at least 1
     */
    uint64_t GetQuantile(double uniform) const;

  private:
    std::vector<FlowSizePoint> m_points;
    double m_meanBytes{0};
};

} // namespace ns3::rdma

#endif // RDMA_FLOW_SIZE_CDF_H
