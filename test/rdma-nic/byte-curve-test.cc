// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/byte-curve.h"

#include <gtest/gtest.h>

using namespace ns3::rdma;

namespace
{
constexpr Tick MS{1'000'000'000};
} // namespace

TEST(ByteCurve, GrowsLinearlyBetweenTwoMeasurements)
{
    ByteCurve curve;
    curve.Add(10 * MS, 1000);
    curve.Add(30 * MS, 5000);
    EXPECT_EQ(curve.GetAt(0), 0U);
    EXPECT_EQ(curve.GetAt(5 * MS), 500U); // From nothing at time 0.
    EXPECT_EQ(curve.GetAt(10 * MS), 1000U);
    EXPECT_EQ(curve.GetAt(15 * MS), 2000U); // 1000 + 4000 x 5 / 20.
    EXPECT_EQ(curve.GetAt(30 * MS), 5000U);
}

TEST(ByteCurve, StaysBehindItsLastPointAndIsNothingWithoutOne)
{
    ByteCurve curve;
    EXPECT_EQ(curve.GetAt(MS), 0U);
    EXPECT_EQ(curve.GetLastTime(), 0);
    curve.Add(MS, 7);
    EXPECT_EQ(curve.GetAt(5 * MS), 7U);
    EXPECT_EQ(curve.GetLastTime(), MS);
}

TEST(ByteCurve, TakesTwoPointsOfOneTime)
{
    ByteCurve curve;
    curve.Add(2 * MS, 10);
    curve.Add(2 * MS, 20); // What a queue still held.
    EXPECT_EQ(curve.GetAt(MS), 5U);
    EXPECT_EQ(curve.GetAt(2 * MS), 20U);
}

TEST(ByteCurve, DoesNotOverflowInLongRuns)
{
    ByteCurve curve;
    const uint64_t bytes = 125'000'000'000; // Ten seconds at 100 Gb/s.
    curve.Add(10'000 * MS, bytes);
    EXPECT_EQ(curve.GetAt(4000 * MS), bytes / 10 * 4); // The product is 5e23, beyond 64 bits.
}
