// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/perftest-measurement.h"

#include <gtest/gtest.h>

using namespace ns3::rdma;

namespace
{

constexpr auto PAYLOAD = static_cast<std::size_t>(DmaKind::PAYLOAD);
constexpr auto WQE = static_cast<std::size_t>(DmaKind::WQE);
constexpr auto POLL = static_cast<std::size_t>(CpuTask::POLL);

/// One microsecond in which the client sent 10,000 bytes of frames.
PerftestMeasurement
MakeMeasurement()
{
    PerftestMeasurement measurement;
    measurement.begin = 5'000'000;
    measurement.end = 6'000'000;
    measurement.goodBytes = 9000;
    measurement.client.dataBytes = 10'000;
    return measurement;
}

} // namespace

TEST(PerftestMeasurement, CountsBitsPerSecondOfItsTime)
{
    // 9000 bytes in 1 us: 72,000 bits in 1000 ns.
    EXPECT_DOUBLE_EQ(MakeMeasurement().GetGbps(9000), 72);
}

TEST(PerftestMeasurement, AddsTheFramesOfBothEnds)
{
    PerftestMeasurement measurement = MakeMeasurement();
    measurement.server.dataBytes = 2500;
    EXPECT_DOUBLE_EQ(measurement.GetWireGbps(), 100);
}

TEST(PerftestMeasurement, ExtraPcieIsWhatTheNetworkDoesNotCarry)
{
    PerftestMeasurement measurement = MakeMeasurement();
    measurement.client.pcie.downBytes[PAYLOAD] = 9900;
    measurement.client.pcie.downBytes[WQE] = 1000;
    measurement.client.pcie.upBytes[WQE] = 350;
    // 11,250 bytes on the link, 10,000 on the wire: 90 less 80 Gb/s.
    EXPECT_DOUBLE_EQ(measurement.GetExtraPcieGbps(measurement.client), 10);
}

TEST(PerftestMeasurement, ReadingsAreSubtractedFieldByField)
{
    EndCounters earlier;
    earlier.dataFrames = 1;
    earlier.dataBytes = 100;
    earlier.retransmitted = 1;
    earlier.cpu.busy[POLL] = 40;
    earlier.cpu.count[POLL] = 1;
    earlier.pcie.upBytes[PAYLOAD] = 10;
    earlier.pcie.downBytes[WQE] = 64;
    earlier.pcie.reads = 1;
    earlier.pcie.writes = 2;
    earlier.pcie.doorbells = 3;
    earlier.pcie.tagStalls = 4;
    earlier.pcie.creditStalls = 5;
    earlier.contexts = {1, 2, 3};
    earlier.translations = {4, 5, 6};
    earlier.receiveWqes = {7, 8, 9};
    EndCounters later = earlier;
    later.dataFrames += 10;
    later.dataBytes += 1000;
    later.retransmitted += 2;
    later.cpu.busy[POLL] += 80;
    later.cpu.count[POLL] += 2;
    later.pcie.upBytes[PAYLOAD] += 20;
    later.pcie.downBytes[WQE] += 128;
    later.pcie.reads += 11;
    later.pcie.writes += 12;
    later.pcie.doorbells += 13;
    later.pcie.tagStalls += 14;
    later.pcie.creditStalls += 15;
    later.contexts.hits += 21;
    later.translations.misses += 22;
    later.receiveWqes.stalls += 23;
    const EndCounters difference = later - earlier;
    EXPECT_EQ(difference.dataFrames, 10);
    EXPECT_EQ(difference.dataBytes, 1000);
    EXPECT_EQ(difference.retransmitted, 2);
    EXPECT_EQ(difference.cpu.busy[POLL], 80);
    EXPECT_EQ(difference.cpu.count[POLL], 2);
    EXPECT_EQ(difference.pcie.upBytes[PAYLOAD], 20);
    EXPECT_EQ(difference.pcie.downBytes[WQE], 128);
    EXPECT_EQ(difference.pcie.downBytes[PAYLOAD], 0);
    EXPECT_EQ(difference.pcie.reads, 11);
    EXPECT_EQ(difference.pcie.writes, 12);
    EXPECT_EQ(difference.pcie.doorbells, 13);
    EXPECT_EQ(difference.pcie.tagStalls, 14);
    EXPECT_EQ(difference.pcie.creditStalls, 15);
    EXPECT_EQ(difference.contexts.hits, 21);
    EXPECT_EQ(difference.contexts.misses, 0);
    EXPECT_EQ(difference.translations.misses, 22);
    EXPECT_EQ(difference.receiveWqes.stalls, 23);
}
