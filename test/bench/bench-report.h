// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_BENCH_REPORT_H
#define RDMA_BENCH_REPORT_H

#include "scenario-measurement.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// All rounds of one scenario.
struct ScenarioRounds
{
    ScenarioCase scenario;
    std::vector<ScenarioMeasurement> rounds;
};

/// All rounds of ns-3's scheduler with so many events pending.
struct HeapRounds
{
    uint32_t pending;
    std::vector<double> rates; ///< Events per second.
};

/// Everything measured in one run of the benchmark.
struct BenchReport
{
    std::vector<ScenarioRounds> scenarios;
    std::vector<HeapRounds> heap; ///< The first is what ratios refer to.
    double loadBefore{0};         ///< Load average of the machine before the first round.
};

/// @return the table for the user, with a newline at the end.
std::string FormatTable(const BenchReport& report);

/// @return the same numbers, and those of each round, as JSON text.
std::string FormatJson(const BenchReport& report);

} // namespace ns3::rdma

#endif // RDMA_BENCH_REPORT_H
