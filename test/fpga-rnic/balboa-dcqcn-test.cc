// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/balboa-dcqcn.h"

#include "ns3/uinteger.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
PathInfo
MakePath()
{
    PathInfo path;
    path.lineRate = DataRate("100Gbps");
    path.baseRtt = MicroSeconds(10);
    path.mtuBytes = 4096;
    return path;
}

void
Acknowledge(BalboaDcqcn& unit, Time now, bool isMarked)
{
    AckEvent ack{};
    ack.now = now;
    ack.ackedBytes = 4096;
    ack.isCeEchoed = isMarked;
    unit.OnAck(ack);
}

/// A unit that has reached its highest rate.
Ptr<BalboaDcqcn>
MakeFast()
{
    auto unit = CreateObject<BalboaDcqcn>();
    unit->SetAttribute("FirstPeriod", UintegerValue(200));
    unit->Start(MakePath(), Seconds(0));
    return unit;
}
} // namespace

TEST(BalboaDcqcn, StartsAtThePeriodOfItsReset)
{
    auto unit = CreateObject<BalboaDcqcn>();
    unit->Start(MakePath(), Seconds(0));
    EXPECT_EQ(unit->GetPeriod(), 8192U);
    EXPECT_EQ(unit->GetTargetPeriod(), 200U);
    // 4096 + 58 bytes of headers, 24 around them, per 8192 cycles of 4 ns.
    EXPECT_EQ(unit->GetLimit().rate.GetBitRate(), 4178ULL * 8 * 1'000'000'000 / (8192 * 4));
}

TEST(BalboaDcqcn, GoesHalfWayToTheTargetEvery36AcknowledgmentsOr200Microseconds)
{
    auto unit = CreateObject<BalboaDcqcn>();
    unit->Start(MakePath(), Seconds(0));
    for (uint32_t i = 0; i < 35; ++i)
    {
        Acknowledge(*unit, MicroSeconds(1), false);
    }
    EXPECT_EQ(unit->GetPeriod(), 8192U);
    Acknowledge(*unit, MicroSeconds(1), false);
    EXPECT_EQ(unit->GetPeriod(), (8192U + 200) / 2);
    EXPECT_EQ(unit->GetLimit().deadline, MicroSeconds(200));
    unit->OnDeadline(MicroSeconds(200));
    EXPECT_EQ(unit->GetPeriod(), (4196U + 200) / 2);
}

TEST(BalboaDcqcn, AMarkStretchesThePeriodByTheTableAndAtMostEvery50Microseconds)
{
    const auto unit = MakeFast();
    // 3 x 55 us without a mark: entry 3 of the table, 218 / 128.
    Acknowledge(*unit, MicroSeconds(170), true);
    EXPECT_EQ(unit->GetPeriod(), 200U * 218 / 128);
    EXPECT_EQ(unit->GetTargetPeriod(), 200U);
    EXPECT_EQ(unit->GetAlphaEntry(), 2U);
    Acknowledge(*unit, MicroSeconds(200), true); // Too soon.
    EXPECT_EQ(unit->GetPeriod(), 340U);
    Acknowledge(*unit, MicroSeconds(221), true);
    EXPECT_EQ(unit->GetPeriod(), 340U * 228 / 128);
    EXPECT_EQ(unit->GetTargetPeriod(), 340U);
}

TEST(BalboaDcqcn, TheFirstEntryDoublesAndTheLastOneIsTheLeast)
{
    const auto often = MakeFast();
    Acknowledge(*often, MicroSeconds(51), true);
    EXPECT_EQ(often->GetPeriod(), 400U);
    const auto rarely = MakeFast();
    Acknowledge(*rarely, Seconds(1), true);
    EXPECT_EQ(rarely->GetPeriod(), 200U * 139 / 128);
    EXPECT_EQ(rarely->GetAlphaEntry(), 27U);
}

TEST(BalboaDcqcn, AfterFiveEventsTheTargetFallsBy128Cycles)
{
    const auto unit = MakeFast();
    Acknowledge(*unit, MicroSeconds(51), true);
    Acknowledge(*unit, MicroSeconds(102), true); // Period 800, target 400.
    EXPECT_EQ(unit->GetTargetPeriod(), 400U);
    for (uint32_t event = 0; event < 5; ++event)
    {
        unit->OnDeadline(unit->GetLimit().deadline);
    }
    // Half way four times: 600, 500, 450, 425; the fifth event lowers the target to 272.
    EXPECT_EQ(unit->GetTargetPeriod(), 272U);
    EXPECT_EQ(unit->GetPeriod(), (425U + 272) / 2);
}

TEST(BalboaDcqcn, NeverPassesItsLeastPeriodAndThenNeedsNoTimer)
{
    const auto unit = MakeFast();
    for (uint32_t i = 0; i < 1000; ++i)
    {
        Acknowledge(*unit, MicroSeconds(i), false);
    }
    EXPECT_EQ(unit->GetPeriod(), 200U);
    // 4178 bytes in 800 ns: a queue pair cannot fill 100 Gb/s.
    EXPECT_EQ(unit->GetLimit().rate.GetBitRate(), 41'780'000'000U);
    EXPECT_EQ(unit->GetLimit().deadline, Time::Max());
}
