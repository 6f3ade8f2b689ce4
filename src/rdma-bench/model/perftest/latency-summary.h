// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_LATENCY_SUMMARY_H
#define RDMA_LATENCY_SUMMARY_H

#include "ns3/tick.h"

#include <vector>

namespace ns3::rdma
{

/**
 * @brief What perftest's latency tests say about a sample, in microseconds.
 *
 * perftest leaves out the two largest values, which it blames on the operating system; here all
 * count, as a simulation has no such outliers.
 */
struct LatencySummary
{
    double min{0};
    double max{0};
    double typical{0}; ///< Median: the mean of the middle two of an even number.
    double average{0};
    double deviation{0}; ///< Of the whole sample: divided by n, as perftest does.
    double p99{0};       ///< Nearest rank: TakePercentile().
    double p999{0};      ///< 99.9 %; likewise.
    double p1{0};        ///< Likewise, as the next two.
    double p5{0};
    double p95{0};
};

/// What perftest's latency tests with a duration report.
struct LatencyRate
{
    double average{0};   ///< us.
    double perSecond{0}; ///< Messages, "tps average".
};

/// @param sample not empty; @param divisor of each value: 2 makes half round trips
LatencySummary SummarizeLatency(std::vector<Tick> sample, uint32_t divisor);

/**
 * @return the times between one posting and the next, as perftest measures latency.
 * @param posted at least two, rising
 */
std::vector<Tick> GetDifferences(const std::vector<Tick>& posted);

} // namespace ns3::rdma

#endif // RDMA_LATENCY_SUMMARY_H
