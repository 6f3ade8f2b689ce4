// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/clock-domain.h"

#include <gtest/gtest.h>

using namespace ns3::rdma;

TEST(ClockDomain, EdgesOfAFractionalPeriodDoNotDrift)
{
    const ClockDomain clock(322'000'000, 64); // 3105.59 ps.
    EXPECT_EQ(clock.GetTime(1), 3105);
    EXPECT_EQ(clock.GetTime(322'000'000), 1'000'000'000'000);
    EXPECT_EQ(clock.GetTime(322'000'000LL * 3600), 3'600'000'000'000'000);
}

TEST(ClockDomain, AnEdgeIsTheFirstAtItsOwnTime)
{
    const ClockDomain clock(322'000'000, 64);
    for (Cycle cycle = 0; cycle < 1000; ++cycle)
    {
        EXPECT_EQ(clock.GetCycle(clock.GetTime(cycle)), cycle);
        EXPECT_EQ(clock.GetCycle(clock.GetTime(cycle) + 1), cycle + 1);
    }
}

TEST(ClockDomain, CarriesWhatThePaperSays)
{
    EXPECT_EQ(ClockDomain(156'250'000, 8).GetBitRate(), 10'000'000'000); // StRoM section 3.5.
    EXPECT_EQ(ClockDomain(156'250'000, 8).GetTime(1), 6400);
    // StRoM section 7.1: 176 and 22 words "for a full MTU", which is 1408 bytes in both.
    EXPECT_EQ(ClockDomain(156'250'000, 8).GetWords(1408), 176);
    EXPECT_EQ(ClockDomain(322'000'000, 64).GetWords(1408), 22);
    EXPECT_EQ(ClockDomain(322'000'000, 64).GetWords(0), 1);
}
