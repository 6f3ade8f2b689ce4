// SPDX-License-Identifier: GPL-2.0-only
#include "../bench/hardware-ratio.h"

#include <gtest/gtest.h>

namespace
{

using namespace ns3::rdma;

ScenarioMeasurement
Measure(uint64_t packetHops)
{
    ScenarioMeasurement measurement;
    measurement.packetHops = packetHops;
    measurement.runSeconds = 1;
    return measurement;
}

/// Three rounds of a design with hardware off and on, and one that has no partner.
BenchReport
MakeReport()
{
    BenchReport report;
    report.scenarios = {
        {{64, "srnic", "6ms"}, {Measure(8'000'000), Measure(10'000'000), Measure(8'000'000)}},
        {{64, "srnic", "6ms", true}, {Measure(5'600'000), Measure(6'500'000), Measure(4'800'000)}},
        {{256, "srnic", "1ms"}, {Measure(4'000'000), Measure(4'000'000), Measure(4'000'000)}}};
    return report;
}

TEST(HardwareRatio, IsTheMedianOverRoundsNotOfRates)
{
    const std::vector<HardwareRatio> ratios = GetHardwareRatios(MakeReport());
    ASSERT_EQ(ratios.size(), 1);
    EXPECT_EQ(ratios[0].scenario.servers, 64);
    // By round 5.6 / 8, 6.5 / 10 and 4.8 / 8; the medians of the rates would give 5.6 / 8 = 0.7.
    EXPECT_EQ(ratios[0].rounds, (std::vector<double>{0.7, 0.65, 0.6}));
    EXPECT_DOUBLE_EQ(ratios[0].median, 0.65);
}

TEST(HardwareRatio, OnlyTheSameScenarioIsAPair)
{
    for (const ScenarioCase& other : {ScenarioCase{256, "srnic", "6ms"},
                                      ScenarioCase{64, "irn", "6ms"},
                                      ScenarioCase{64, "srnic", "2ms"},
                                      ScenarioCase{64, "srnic", "6ms", true}})
    {
        BenchReport report = MakeReport();
        report.scenarios[0].scenario = other;
        EXPECT_TRUE(GetHardwareRatios(report).empty()) << GetDesign(other);
    }
}

TEST(HardwareRatio, LinesSayWhatIsBelowTheTarget)
{
    BenchReport report = MakeReport();
    EXPECT_NE(FormatHardwareRatios(report).find("\n     64  srnic        0.65\n"),
              std::string::npos);
    report.scenarios[1].rounds[0] = Measure(4'560'000); // 0.57, 0.65, 0.6: just reached.
    EXPECT_EQ(FormatHardwareRatios(report).find("below"), std::string::npos);
    report.scenarios[1].rounds[1] = Measure(5'500'000); // 0.57, 0.55, 0.6.
    EXPECT_NE(FormatHardwareRatios(report).find("\n     64  srnic        0.57  below the target\n"),
              std::string::npos);
    report.scenarios.erase(report.scenarios.begin() + 1);
    EXPECT_EQ(FormatHardwareRatios(report), "");
}

} // namespace
