// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_BANDWIDTH_SUMMARY_H
#define RDMA_BANDWIDTH_SUMMARY_H

#include "ns3/tick.h"

#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/// What perftest's bandwidth tests say about one direction, or the sum of both.
struct BandwidthSummary
{
    double peak{0};        ///< MB/s, where MB is 2^20 bytes (perftest's default).
    double average{0};     ///< MB/s.
    double messageRate{0}; ///< Million messages per second.

    BandwidthSummary& operator+=(const BandwidthSummary& other);
};

/**
 * @brief Summarizes a test's messages as perftest does.
 *
 * The average counts from the first posting to the last completion.  The peak is the best of all
 * spans from one posting to a completion not before it in number.
 *
 * @param posted time of each posting, in order; not empty
 * @param completed time of each completion, in order; as many, all later than the first posting
 * @param bytes per message
 */
BandwidthSummary SummarizeBandwidth(const std::vector<Tick>& posted,
                                    const std::vector<Tick>& completed,
                                    uint64_t bytes);

/// The same of a number of messages that were completed in an interval; without a peak.
/// @param time above 0
BandwidthSummary SummarizeSample(uint64_t messages, Tick time, uint64_t bytes);

} // namespace ns3::rdma

#endif // RDMA_BANDWIDTH_SUMMARY_H
