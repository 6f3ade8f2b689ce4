// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/rnr-timer.h"

#include <gtest/gtest.h>

using namespace ns3::rdma;

namespace
{
constexpr Tick US{1'000'000};
} // namespace

TEST(RnrTimer, HasTheTimesOfTheSpecification)
{
    // IBTA Vol. 1, Table 45, in us.
    EXPECT_EQ(GetRnrDelay(1), 10 * US);
    EXPECT_EQ(GetRnrDelay(2), 20 * US);
    EXPECT_EQ(GetRnrDelay(7), 120 * US);
    EXPECT_EQ(GetRnrDelay(12), 640 * US);
    EXPECT_EQ(GetRnrDelay(16), 2'560 * US);
    EXPECT_EQ(GetRnrDelay(20), 10'240 * US);
    EXPECT_EQ(GetRnrDelay(25), 61'440 * US);
    EXPECT_EQ(GetRnrDelay(30), 327'680 * US);
    EXPECT_EQ(GetRnrDelay(31), 491'520 * US);
}

TEST(RnrTimer, CodeZeroIsTheLongest)
{
    EXPECT_EQ(GetRnrDelay(0), 655'360 * US);
    for (uint32_t code = 1; code < 32; ++code)
    {
        EXPECT_LT(GetRnrDelay(code), GetRnrDelay(0)) << code;
    }
}

TEST(RnrTimer, EachCodeIsAThirdOrMoreLongerThanTheOneBefore)
{
    // From 30 us on the steps are 4/3 and 3/2 in turn, so that two of them double the time.
    for (uint32_t code = 4; code < 32; ++code)
    {
        const Tick before = GetRnrDelay(code - 1);
        const bool isThreeHalves = GetRnrDelay(code) * 2 == before * 3;
        const bool isFourThirds = GetRnrDelay(code) * 3 == before * 4;
        EXPECT_TRUE(isThreeHalves || isFourThirds) << code;
    }
    for (uint32_t code = 5; code < 32; ++code)
    {
        EXPECT_EQ(GetRnrDelay(code), 2 * GetRnrDelay(code - 2)) << code;
    }
}
