// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/perftest-meter.h"

#include "ns3/perftest-run.h"
#include "ns3/perftest-scenario.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

constexpr double EXACT{1e-9};

PerftestMeasurement
Measure(const std::string& test, const std::function<void(PerftestRequest&)>& change = {})
{
    PerftestRequest request;
    request.kind = ParsePerftestKind(test);
    request.iterations = 1000;
    request.size = 512;
    request.mtu = 1024;
    if (change)
    {
        change(request);
    }
    const PerftestOptions options = ResolvePerftest(request);
    const Scenario scenario = MakePerftestScenario(request, options.mtu);
    return RunPerftest(scenario, options, options.sizes.front()).measurement;
}

uint64_t
GetCount(const EndCounters& end, CpuTask task)
{
    return end.cpu.count[static_cast<std::size_t>(task)];
}

} // namespace

TEST(PerftestMeter, SeparatesGoodputFromWhatPortsCount)
{
    const auto measurement = Measure("send_bw", [](auto& r) { r.iterations = 10'000; });
    // SENDs of 512 bytes one after the other: 58 bytes of headers and an FCS of 4 count at the
    // port; preamble and gap take 20 more of the link's time.
    constexpr double FRAME{512 + 58 + 4};
    EXPECT_NEAR(measurement.GetWireGbps(), 100 * FRAME / (FRAME + 20), EXACT); // 96.63.
    EXPECT_NEAR(measurement.GetGbps(measurement.goodBytes), 100 * 512 / (FRAME + 20), EXACT);
    EXPECT_FALSE(measurement.isHardwareTimed);
}

TEST(PerftestMeter, MeasuresTheMiddleThreeFifths)
{
    const auto measurement = Measure("send_bw", [](auto& r) { r.iterations = 10'000; });
    EXPECT_EQ(measurement.goodBytes, 6000 * 512);
    EXPECT_EQ(measurement.client.dataFrames, 6000);
    // Frames 2000 to 8000, a frame each 594 bytes x 80 ps.
    EXPECT_EQ(measurement.begin, 1999 * 594 * 80);
    EXPECT_EQ(measurement.end, 7999 * 594 * 80);
}

TEST(PerftestMeter, MeasuresReadsWhereTheirDataComeFrom)
{
    const auto measurement = Measure("read_bw");
    EXPECT_EQ(measurement.client.dataFrames, 0);
    EXPECT_EQ(measurement.server.dataFrames, 600);
    EXPECT_EQ(measurement.goodBytes, 600 * 512);
}

TEST(PerftestMeter, MeasuresBothDirections)
{
    const auto measurement = Measure("write_bw", [](auto& r) { r.isBidirectional = true; });
    EXPECT_EQ(measurement.goodBytes, 2 * 600 * 512);
    EXPECT_NEAR(static_cast<double>(measurement.client.dataFrames), 600, 3);
    EXPECT_NEAR(static_cast<double>(measurement.server.dataFrames), 600, 3);
}

TEST(PerftestMeter, MeasuresATestWithoutPayloadAsAWhole)
{
    const auto measurement = Measure("atomic_bw", [](auto& r) { r.size = 8; });
    EXPECT_EQ(measurement.begin, 0);
    EXPECT_EQ(measurement.goodBytes, 8000);
    EXPECT_TRUE(measurement.queuePairs.empty());
}

TEST(PerftestMeter, ListsEachQueuePair)
{
    const auto measurement = Measure("write_bw", [](auto& r) { r.queuePairs = 4; });
    ASSERT_EQ(measurement.queuePairs.size(), 4);
    for (const uint64_t bytes : measurement.queuePairs)
    {
        EXPECT_NEAR(static_cast<double>(bytes), 600 * 512, 512); // They take turns.
    }
}

TEST(PerftestMeter, CountsRetransmissionsOnTheWireAlone)
{
    const auto measurement = Measure("write_bw", [](auto& r) {
        r.nic = "irn";
        r.iterations = 20'000;
        r.lossRate = 0.02;
    });
    EXPECT_EQ(measurement.goodBytes, 12'000 * 512);
    EXPECT_EQ(measurement.client.dataFrames, 12'000 + measurement.client.retransmitted);
    // Selective repeat sends again what was lost, one in 50: 240, of a deviation of 15; and those
    // few whose acknowledgment was.
    EXPECT_GT(measurement.client.retransmitted, 240 - 4 * 15);
    EXPECT_LT(measurement.client.retransmitted, 2 * (240 + 4 * 15));
}

TEST(PerftestMeter, CountsWhatTheHostDoes)
{
    const auto measurement = Measure("write_bw", [](auto& r) {
        r.isHardwareTimed = true;
        r.postList = 20;
        r.completionInterval = 10;
    });
    ASSERT_TRUE(measurement.isHardwareTimed);
    // 600 messages: a doorbell for 20, a completion for 10. The host is ahead of the wire by up to
    // the 128 messages under way.
    EXPECT_NEAR(static_cast<double>(GetCount(measurement.client, CpuTask::POST)), 600, 128);
    EXPECT_NEAR(static_cast<double>(GetCount(measurement.client, CpuTask::DOORBELL)), 30, 7);
    EXPECT_NEAR(static_cast<double>(GetCount(measurement.client, CpuTask::POLL)), 60, 13);
    EXPECT_EQ(GetCount(measurement.server, CpuTask::POST), 0);
    EXPECT_GT(measurement.client.pcie.downBytes[static_cast<std::size_t>(DmaKind::PAYLOAD)], 0);
    EXPECT_GT(measurement.server.pcie.upBytes[static_cast<std::size_t>(DmaKind::PAYLOAD)], 0);
}
