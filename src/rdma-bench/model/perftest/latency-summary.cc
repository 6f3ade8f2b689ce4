// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/latency-summary.h"

#include "ns3/assert.h"
#include "ns3/percentile.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ns3::rdma
{

namespace
{
constexpr double PS_PER_US{1e6};
} // namespace

LatencySummary
SummarizeLatency(std::vector<Tick> sample, uint32_t divisor)
{
    NS_ASSERT_MSG(!sample.empty(), "no latency was measured");
    std::sort(sample.begin(), sample.end());
    const std::size_t count = sample.size();
    const double scale = 1 / (PS_PER_US * divisor);
    const double mean =
        static_cast<double>(std::accumulate(sample.begin(), sample.end(), Tick{0})) /
        static_cast<double>(count);
    double squares = 0;
    for (const Tick value : sample)
    {
        const double distance = static_cast<double>(value) - mean;
        squares += distance * distance;
    }
    LatencySummary summary;
    summary.min = static_cast<double>(sample.front()) * scale;
    summary.max = static_cast<double>(sample.back()) * scale;
    summary.typical = static_cast<double>(sample[count / 2] + sample[(count - 1) / 2]) / 2 * scale;
    summary.average = mean * scale;
    summary.deviation = std::sqrt(squares / static_cast<double>(count)) * scale;
    summary.p1 = static_cast<double>(TakePercentile(sample, 10)) * scale;
    summary.p5 = static_cast<double>(TakePercentile(sample, 50)) * scale;
    summary.p95 = static_cast<double>(TakePercentile(sample, 950)) * scale;
    summary.p99 = static_cast<double>(TakePercentile(sample, 990)) * scale;
    summary.p999 = static_cast<double>(TakePercentile(sample, 999)) * scale;
    return summary;
}

std::vector<Tick>
GetDifferences(const std::vector<Tick>& posted)
{
    std::vector<Tick> differences;
    for (std::size_t i = 1; i < posted.size(); ++i)
    {
        differences.push_back(posted[i] - posted[i - 1]);
    }
    return differences;
}

} // namespace ns3::rdma
