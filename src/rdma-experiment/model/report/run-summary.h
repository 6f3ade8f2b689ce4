// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_RUN_SUMMARY_H
#define RDMA_RUN_SUMMARY_H

#include "ns3/flow-log.h"
#include "ns3/run-report.h"

#include <string>
#include <vector>

namespace ns3::rdma
{

/// Mean and percentiles of a sample; the numbers are meaningless when the sample is empty.
struct SampleStatistics
{
    double mean{0};
    double p50{0};
    double p99{0};
};

/// Percentiles are nearest rank (TakePercentile()).
SampleStatistics GetStatistics(const std::vector<double>& sample);

/// The text of summary.json (docs/reference/results.md).
std::string WriteSummary(const RunReport& report, const FlowLog& log);

} // namespace ns3::rdma

#endif // RDMA_RUN_SUMMARY_H
