// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/run-summary.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>

using namespace ns3::rdma;

TEST(RunSummary, TakesPercentilesByNearestRank)
{
    // 1 to 200 backwards: rank ceil(200 x 0.5) = 100 and ceil(200 x 0.99) = 198.
    std::vector<double> sample(200);
    std::iota(sample.rbegin(), sample.rend(), 1);
    const SampleStatistics statistics = GetStatistics(sample);
    EXPECT_EQ(statistics.mean, 100.5);
    EXPECT_EQ(statistics.p50, 100);
    EXPECT_EQ(statistics.p99, 198);
}

TEST(RunSummary, TakesPercentilesOfSmallSamples)
{
    EXPECT_EQ(GetStatistics({5}).p50, 5);
    EXPECT_EQ(GetStatistics({5}).p99, 5);
    EXPECT_EQ(GetStatistics({3, 1, 2}).p50, 2); // ceil(1.5) = 2.
    EXPECT_EQ(GetStatistics({3, 1, 2}).p99, 3); // ceil(2.97) = 3.
    EXPECT_EQ(GetStatistics({}).mean, 0);
}

namespace
{
/// A report with another number in each field.
RunReport
MakeReport()
{
    RunReport report;
    report.flowsStarted = 2;
    report.isPartial = true;
    report.drops = {{"buffer full", 3}, {"link down", 4}, {"out of order", 9}};
    report.fabricDrops = 7;
    report.nicDiscards = 9;
    report.trims = 2;
    report.lastHopTrims = 1;
    report.trimmedDrops = 4;
    report.ecnMarks = 5;
    report.pfcPauses = 6;
    report.cnps = 7;
    report.retransmitted = 8;
    report.timeouts = 9;
    report.resendingTimeouts = 8;
    report.packetHops = 1000;
    report.events = 2000;
    report.simulatedPs = 500'000'000;
    report.wallSeconds = 0.5;
    report.peakRssBytes = 1'048'576;
    return report;
}
} // namespace

TEST(RunSummary, WritesEveryNumberOfTheRun)
{
    std::ostringstream out;
    FlowLog log(out);
    FlowRecord record;
    record.bytes = 1000;
    record.startPs = 0;
    record.fctPs = 8'000'000; // 8000 bit in 8 us are 1 Gb/s.
    record.idealPs = 4'000'000;
    log.Write(record);
    EXPECT_EQ(WriteSummary(MakeReport(), log), R"({
  "partial": true,
  "flows": {
    "started": 2,
    "completed": 1,
    "failed": 0,
    "stalled": 0
  },
  "fct_us": {
    "mean": 8.0,
    "p50": 8.0,
    "p99": 8.0
  },
  "slowdown": {
    "mean": 2.0,
    "p50": 2.0,
    "p99": 2.0
  },
  "goodput_gbps": 1.0,
  "goodput_to_last_start_gbps": null,
  "drops": {
    "buffer full": 3,
    "link down": 4,
    "out of order": 9
  },
  "fabric_drops": 7,
  "nic_discards": 9,
  "trims": 2,
  "last_hop_trims": 1,
  "trimmed_drops": 4,
  "ecn_marks": 5,
  "pfc_pauses": 6,
  "cnps": 7,
  "retransmitted": 8,
  "timeouts": 9,
  "resending_timeouts": 8,
  "packet_hops": 1000,
  "events": 2000,
  "simulated_ms": 0.5,
  "wall_seconds": 0.5,
  "packet_hops_per_second": 2000.0,
  "peak_rss_bytes": 1048576,
  "ranks": {
    "count": 1
  }
}
)");
}

TEST(RunSummary, SaysHowRanksSharedTheWork)
{
    std::ostringstream out;
    const FlowLog log(out);
    RunReport report;
    report.ranks = {{100, 7, 1000, 2, 0.5, 0.125, 1}, {200, 7, 500, 2.25, 0.25, 0.0625, 2}};
    EXPECT_NE(WriteSummary(report, log).find(R"("ranks": {
    "count": 2,
    "windows": 7,
    "sent_bytes": 1500,
    "events": [
      100,
      200
    ],
    "compute_seconds": [
      2.0,
      2.25
    ],
    "wait_seconds": [
      0.5,
      0.25
    ],
    "exchange_seconds": [
      0.125,
      0.0625
    ]
  })"),
              std::string::npos)
        << WriteSummary(report, log);
}

TEST(RunSummary, SaysHowWellTheMeansAreKnown)
{
    std::ostringstream out;
    const FlowLog log(out);
    RunReport report;
    report.precision.emplace();
    PrecisionReport& precision = *report.precision;
    precision.target = 0.125;
    precision.isReached = true;
    precision.fromPs = 21'000'000'000;  // 21 ms.
    precision.measuredPs = 500'000'000; // 0.5 ms.
    precision.flows = 2000;
    precision.servers = 64;
    precision.fctPs = {300'500'000, 1'500'000};
    precision.slowdown = {7.5, 0.25};
    const std::string known = WriteSummary(report, log);
    EXPECT_NE(known.find(R"(  "precision": {
    "target": 0.125,
    "reached": true,
    "from_us": 21000.0,
    "measured_us": 500.0,
    "flows": 2000,
    "servers": 64,
    "slowdown": {
      "mean": 7.5,
      "ci95": 0.25
    },
    "fct_us": {
      "mean": 300.5,
      "ci95": 1.5
    }
  })"),
              std::string::npos)
        << known;
    precision.flows = 1;
    const std::string hardlyKnown = WriteSummary(report, log);
    EXPECT_NE(hardlyKnown.find("\"mean\": 7.5,\n      \"ci95\": null"), std::string::npos);
    precision.flows = 0;
    const std::string unknown = WriteSummary(report, log);
    EXPECT_NE(unknown.find("\"servers\": 64,\n    \"slowdown\": {\n      \"mean\": null,\n      "
                           "\"ci95\": null\n    },\n    \"fct_us\": {\n      \"mean\": null"),
              std::string::npos)
        << unknown;
}

TEST(RunSummary, ARunThatBeganAsAFluidHasNoGoodput)
{
    std::ostringstream out;
    const FlowLog log(out);
    RunReport report;
    EXPECT_NE(WriteSummary(report, log).find(R"("goodput_gbps": 0)"), std::string::npos);
    report.fluidUntilPs = 300'000'000;
    EXPECT_NE(WriteSummary(report, log).find(R"("goodput_gbps": null)"), std::string::npos);
}

TEST(RunSummary, LeavesFlowsThatBeganAsAFluidOutOfTheMeans)
{
    std::ostringstream out;
    FlowLog log(out);
    log.MeasureFrom(300'000'000);
    FlowRecord record{};
    record.status = FlowStatus::COMPLETED;
    record.bytes = 1000;
    record.startPs = 299'999'999; // Its FCT of 50 us and slowdown of 50 are in no mean.
    record.fctPs = 50'000'000;
    record.idealPs = 1'000'000;
    log.Write(record);
    record.flow = 1;
    record.startPs = 300'000'000;
    record.fctPs = 2'000'000;
    log.Write(record);
    RunReport report;
    report.flowsStarted = 2;
    report.fluidUntilPs = 300'000'000;
    const auto json = nlohmann::json::parse(WriteSummary(report, log));
    EXPECT_EQ(json["flows"]["completed"], 2);
    EXPECT_EQ(json["slowdown"]["mean"], 2.0);
    EXPECT_EQ(json["fct_us"]["p99"], 2.0);
    EXPECT_EQ(json["fluid"], (nlohmann::json{{"until_us", 300.0}, {"flows", 1}}));
    const std::string rows = out.str();
    EXPECT_EQ(std::count(rows.begin(), rows.end(), '\n'), 3); // Both are in flows.csv.
}

TEST(RunSummary, WritesNullWhereNoFlowCompleted)
{
    std::ostringstream out;
    const FlowLog log(out);
    RunReport report;
    report.violations = {"7 bytes too many"};
    const std::string text = WriteSummary(report, log);
    EXPECT_NE(text.find("\"mean\": null"), std::string::npos);
    EXPECT_NE(text.find("\"violations\": [\n    \"7 bytes too many\"\n  ]"), std::string::npos);
}
