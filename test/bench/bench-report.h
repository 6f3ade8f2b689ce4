// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_BENCH_REPORT_H
#define RDMA_BENCH_REPORT_H

#include "memory-measurement.h"
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
    MemoryMeasurement memory{};
};

/// All rounds of ns-3's scheduler with so many events pending.
struct HeapRounds
{
    uint32_t pending;
    std::vector<double> rates; ///< Events per second.
};

/// All rounds of the bare loop at one size.
struct BareRounds
{
    uint32_t servers;
    const char* duration;
    bool hasSwitchModel;
    std::vector<double> rates{}; ///< Packet-hops per second.
};

/// Everything measured in one run of the benchmark.
struct BenchReport
{
    std::vector<ScenarioRounds> scenarios;
    std::vector<HeapRounds> heap; ///< The first is what ratios refer to.
    std::vector<BareRounds> bare{};
    double loadBefore{0}; ///< Load average of the machine before the first round.
};

/// What the SRNIC authors' simulator does on the trace (docs/validation/performance.md),
/// packet-hops/s.
constexpr double TRACE_REFERENCE_RATE{0.35e6};

/// @return a rate for each round.
std::vector<double> GetHopRates(const ScenarioRounds& rounds);

/// @return the scenario's rate by that of the bare loop without switch model, of the same size and
/// in the same round; empty if that was not measured.
std::vector<double> GetBareRatios(const BenchReport& report, const ScenarioRounds& rounds);

/// @return engine events by packet-hops, of the first round.
double GetEventsPerHop(const ScenarioRounds& rounds);

/// @return the largest over all rounds.
uint64_t GetPeakRss(const ScenarioRounds& rounds);

/// @return the table for the user, with a newline at the end.
std::string FormatTable(const BenchReport& report);

/// @return the same numbers, and those of each round, as JSON text.
std::string FormatJson(const BenchReport& report);

} // namespace ns3::rdma

#endif // RDMA_BENCH_REPORT_H
