// SPDX-License-Identifier: GPL-2.0-only
#include "../bench/bench-report.h"

#include <gtest/gtest.h>

namespace
{

using namespace ns3::rdma;

ScenarioMeasurement
Measure(uint64_t packetHops, uint64_t events = 0)
{
    ScenarioMeasurement measurement;
    measurement.packetHops = packetHops;
    measurement.events = events;
    measurement.runSeconds = 1;
    return measurement;
}

BenchReport
MakeReport()
{
    BenchReport report;
    report.scenarios = {
        {{64, "srnic", "6ms", false, true}, {Measure(4'000'000, 6'000'000), Measure(6'000'000)}},
        {{256, "srnic", "1ms"}, {Measure(2'000'000), Measure(2'000'000)}}};
    report.heap = {{10'000, {2e6, 2e6}}};
    report.bare = {{64, "6ms", true, {1e6, 1e6}}, {64, "6ms", false, {8e6, 24e6}}};
    return report;
}

TEST(BenchReport, ComparesWithTheBareLoopOfThatSizeInThatRound)
{
    const BenchReport report = MakeReport();
    // 4 / 8 and 6 / 24; not with the one that has a switch model.
    EXPECT_EQ(GetBareRatios(report, report.scenarios[0]), (std::vector<double>{0.5, 0.25}));
}

TEST(BenchReport, HasNoRatioForASizeWithoutBareLoop)
{
    const BenchReport report = MakeReport();
    EXPECT_TRUE(GetBareRatios(report, report.scenarios[1]).empty());
    EXPECT_NE(FormatTable(report).find("    256  srnic "), std::string::npos);
}

TEST(BenchReport, CountsEventsPerHop)
{
    EXPECT_DOUBLE_EQ(GetEventsPerHop(MakeReport().scenarios[0]), 1.5);
}

TEST(BenchReport, DistinguishesDesigns)
{
    EXPECT_EQ(GetDesign({64, "srnic", "6ms"}), "srnic");
    EXPECT_EQ(GetDesign({64, "srnic", "6ms", true}), "srnic+hw");
    EXPECT_EQ(GetDesign({64, "srnic", "6ms", false, true}), "srnic+pfc");
    EXPECT_EQ(GetDesign({64, "srnic", nullptr}), "srnic trace");
}

TEST(BenchReport, SaysHowFarTheTraceIsFromTheAuthorsSimulator)
{
    BenchReport report = MakeReport();
    report.scenarios = {{{64, "srnic", nullptr}, {Measure(7'000'000)}}};
    report.bare.clear();
    const std::string table = FormatTable(report);
    EXPECT_NE(table.find("Trace: 20.0 times the 0.35 million"), std::string::npos) << table;
}

TEST(BenchReport, SaysWhenTheLargestFabricStartsTooSlowly)
{
    BenchReport report = MakeReport();
    report.scenarios = {{{4096, "srnic", "60us"}, {Measure(7'000'000)}}};
    report.scenarios[0].rounds[0].setupSeconds = 1.9;
    EXPECT_NE(FormatTable(report).find("4096 servers: 1.90 s (target: 2)\n"), std::string::npos);
    report.scenarios[0].rounds[0].setupSeconds = 2.1;
    EXPECT_NE(FormatTable(report).find("2.10 s (target: 2)  above the target\n"),
              std::string::npos);
}

} // namespace
