// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/exact-quantity.h"

#include <gtest/gtest.h>
#include <limits>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

constexpr uint64_t PS_PER_SECOND{1'000'000'000'000};

std::optional<int64_t>
ParseSeconds(std::string_view text)
{
    return ParseExactDecimal(text, PS_PER_SECOND, SmallDecimals::ROUND);
}

} // namespace

TEST(ExactQuantity, ReadsSecondsToThePicosecond)
{
    // 2.000001079 x 10^12 is no exact double multiple of 10^-9, so floating point would miss it.
    EXPECT_EQ(ParseSeconds("2.000001079"), 2'000'001'079'000);
    EXPECT_EQ(ParseSeconds("9000000.123456789012"), 9'000'000'123'456'789'012);
    EXPECT_EQ(ParseSeconds("0"), 0);
    EXPECT_EQ(ParseSeconds("0002.50000000000000000000000000000"), 2'500'000'000'000);
}

TEST(ExactQuantity, RoundsHalfUpOnce)
{
    EXPECT_EQ(ParseSeconds("0.0000000000004"), 0);
    EXPECT_EQ(ParseSeconds("0.0000000000005"), 1);
    // One rounding of the whole tail: 0.49999... stays below one half.
    EXPECT_EQ(ParseSeconds("0.00000000000049999999999999999999999999"), 0);
    EXPECT_EQ(ParseSeconds("2.00000000000150000000000000000000000001"), 2'000'000'000'002);
}

TEST(ExactQuantity, RefusesDecimalsBelowTheUnitWhereAsked)
{
    EXPECT_EQ(ParseExactDecimal("1.5", 10, SmallDecimals::REFUSE), 15);
    EXPECT_EQ(ParseExactDecimal("1.55", 10, SmallDecimals::REFUSE), std::nullopt);
    EXPECT_EQ(ParseExactDecimal("1.50000000000000000000000001", 10, SmallDecimals::REFUSE),
              std::nullopt);
}

TEST(ExactQuantity, RefusesWhatIsNoPlainDecimal)
{
    for (const char* text :
         {"", ".", ".5", "3.", "-1", "+1", "1e3", "1.2.3", "1,5", " 1", "0x10", "nan", "inf"})
    {
        EXPECT_EQ(ParseSeconds(text), std::nullopt) << text;
    }
}

TEST(ExactQuantity, RefusesWhatDoesNotFit)
{
    constexpr int64_t LARGEST{std::numeric_limits<int64_t>::max()};
    EXPECT_EQ(ParseExactDecimal("9223372036854775807", 1, SmallDecimals::REFUSE), LARGEST);
    EXPECT_EQ(ParseExactDecimal("9223372036854775808", 1, SmallDecimals::REFUSE), std::nullopt);
    EXPECT_EQ(ParseExactDecimal("18446744073709551617", 1, SmallDecimals::REFUSE), std::nullopt);
    EXPECT_EQ(ParseSeconds("9223373"), std::nullopt);
    EXPECT_EQ(ParseSeconds(std::string(400, '9')), std::nullopt);
    EXPECT_EQ(ParseSeconds("0." + std::string(400, '9')), 1'000'000'000'000);
}

TEST(ExactQuantity, ReadsTheRatesOfNs3)
{
    EXPECT_EQ(ParseExactRate("100Gbps"), DataRate("100Gbps"));
    EXPECT_EQ(ParseExactRate("2.5Gb/s"), DataRate(2'500'000'000));
    EXPECT_EQ(ParseExactRate("10GBps"), DataRate(80'000'000'000));
    EXPECT_EQ(ParseExactRate("1MiB/s"), DataRate(8'388'608));
    EXPECT_EQ(ParseExactRate("615Mbps"), DataRate(615'000'000));
    EXPECT_EQ(ParseExactRate("9600bps"), DataRate(9600));
    EXPECT_EQ(ParseExactRate("0Gbps"), DataRate(0));
}

TEST(ExactQuantity, RefusesMalformedRates)
{
    for (const char* text : {"",
                             "100",
                             "Gbps",
                             "-1Gbps",
                             "1.2.3Gbps",
                             "100 Gbps",
                             "1gbps",
                             "1Gbit",
                             "0.1bps",
                             "1Pbps"})
    {
        EXPECT_EQ(ParseExactRate(text), std::nullopt) << text;
    }
}

TEST(ExactQuantity, ReadsDelays)
{
    EXPECT_EQ(ParseExactDelay("1000ns"), 1'000'000);
    EXPECT_EQ(ParseExactDelay("0.5us"), 500'000);
    EXPECT_EQ(ParseExactDelay("0.001ms"), 1'000'000);
    EXPECT_EQ(ParseExactDelay("2s"), 2'000'000'000'000);
    EXPECT_EQ(ParseExactDelay("0ns"), 0);
    for (const char* text : {"", "1", "ns", "-1ns", "1 us", "0.5ps", "1m", "1usec"})
    {
        EXPECT_EQ(ParseExactDelay(text), std::nullopt) << text;
    }
}
