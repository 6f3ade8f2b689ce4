// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/measured-goodput.h"

#include <gtest/gtest.h>

using namespace ns3::rdma;

namespace
{
constexpr Tick US{1'000'000};
} // namespace

TEST(MeasuredGoodput, BytesAreSpreadEvenlyOverTheTimeBetweenTwoMeasurements)
{
    MeasuredGoodput goodput(0, 10 * US, 4);
    // 3,000 B in 30 us, then 200 B in 5 us.
    goodput.Add({{0, 0}, {30 * US, 3'000}, {35 * US, 3'200}});
    for (std::size_t interval = 0; interval < 3; ++interval)
    {
        ASSERT_TRUE(goodput.GetBytes(interval)) << interval;
        EXPECT_DOUBLE_EQ(*goodput.GetBytes(interval), 1'000);
    }
    EXPECT_FALSE(goodput.GetBytes(3)); // Measured until its middle.
    EXPECT_FALSE(goodput.GetBytes(4));
}

TEST(MeasuredGoodput, AnIntervalNeedsMeasurementsOfAllThreads)
{
    MeasuredGoodput goodput(5 * US, 10 * US, 3);
    goodput.Add({{5 * US, 0}, {35 * US, 300}});
    goodput.Add({{10 * US, 0}, {30 * US, 400}}); // From the first interval's middle on.
    EXPECT_FALSE(goodput.GetBytes(0));
    ASSERT_TRUE(goodput.GetBytes(1));
    EXPECT_DOUBLE_EQ(*goodput.GetBytes(1), 100 + 200); // From 15 to 25 us.
    EXPECT_FALSE(goodput.GetBytes(2));
    goodput.Add({});
    EXPECT_FALSE(goodput.GetBytes(1));
}

TEST(MeasuredGoodput, TheRangeIsOfMeasurementsInTheGivenTime)
{
    // 1,250 B in 1 us are 10 Gb/s, then 5 and 20 Gb/s.
    const std::vector<OwnMeasurement> all{{1 * US, 0},
                                          {2 * US, 1'250},
                                          {3 * US, 1'875},
                                          {4 * US, 4'375}};
    const auto range = FindGoodputRange(all, 2 * US, 4 * US);
    ASSERT_TRUE(range);
    EXPECT_DOUBLE_EQ(range->least, 5);
    EXPECT_DOUBLE_EQ(range->most, 20);
    EXPECT_DOUBLE_EQ(range->mean, 12.5);
    EXPECT_FALSE(FindGoodputRange(all, 4 * US, 9 * US)); // One measurement.
    EXPECT_FALSE(FindGoodputRange({}, 0, US));
}
