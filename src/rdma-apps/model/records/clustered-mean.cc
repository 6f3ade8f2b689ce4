// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/clustered-mean.h"

#include <boost/math/distributions/students_t.hpp>
#include <cmath>

namespace ns3::rdma
{

namespace
{
constexpr double UPPER_TAIL{0.975}; ///< Leaves 2.5 % on either side.
} // namespace

ClusteredMean::ClusteredMean(uint32_t nodes, uint32_t servers)
    : m_servers(servers),
      m_bySource(nodes),
      m_byDestination(nodes)
{
}

void
ClusteredMean::Add(uint32_t src, uint32_t dst, int64_t value)
{
    ++m_count;
    m_sum += value;
    ++m_bySource[src].count;
    m_bySource[src].sum += value;
    ++m_byDestination[dst].count;
    m_byDestination[dst].sum += value;
}

MeanEstimate
ClusteredMean::GetEstimate() const
{
    if (m_count == 0)
    {
        return {};
    }
    const double mean = static_cast<double>(m_sum) / static_cast<double>(m_count);
    if (m_count == 1 || m_servers < 2)
    {
        return {mean, 0};
    }
    const double variance = GetVariance(m_bySource, mean) + GetVariance(m_byDestination, mean);
    const boost::math::students_t student(m_servers - 1);
    return {mean, boost::math::quantile(student, UPPER_TAIL) * std::sqrt(variance)};
}

double
ClusteredMean::GetVariance(const std::vector<Total>& totals, double mean) const
{
    double squares = 0;
    for (const Total& total : totals)
    {
        const double excess =
            static_cast<double>(total.sum) - mean * static_cast<double>(total.count);
        squares += excess * excess;
    }
    const auto count = static_cast<double>(m_count);
    return squares / (count * count) * m_servers / (m_servers - 1);
}

} // namespace ns3::rdma
