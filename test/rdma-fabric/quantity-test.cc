// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/quantity.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

TEST(Quantity, ReadsSizesInDecimalAndBinaryUnits)
{
    EXPECT_EQ(ParseBytes("1B"), 1U);
    EXPECT_EQ(ParseBytes("400kB"), 400'000U);
    EXPECT_EQ(ParseBytes("32MiB"), 33'554'432U); // 32 x 1024 x 1024.
    EXPECT_EQ(ParseBytes("3MB"), 3'000'000U);
    EXPECT_EQ(ParseBytes("2GiB"), 2'147'483'648U);
    EXPECT_EQ(ParseBytes("0.5KiB"), 512U);
    EXPECT_EQ(ParseBytes("1.001kB"), 1001U);
}

TEST(Quantity, RefusesSizesThatAreNoWholeBytesOrTooLarge)
{
    for (const char* text : {"1.0001kB", "0.5B", "9223372036854775808B", "99999999TiB"})
    {
        EXPECT_EQ(ParseBytes(text), std::nullopt) << text;
    }
    EXPECT_EQ(ParseBytes("9223372036854775807B"), 9'223'372'036'854'775'807U); // 2^63 - 1.
}

TEST(Quantity, RefusesMalformedSizes)
{
    for (const char* text : {"",
                             "5",
                             "B",
                             "-5B",
                             "+5B",
                             "5 B",
                             " 5B",
                             "5B ",
                             "5KB",
                             "5kb",
                             "5Mbps",
                             "1e3B",
                             "1.2.3kB",
                             ".5kB",
                             "5.kB",
                             "."})
    {
        EXPECT_EQ(ParseBytes(text), std::nullopt) << text;
    }
}

TEST(Quantity, ReadsRates)
{
    EXPECT_EQ(ParseRate("100Gbps"), DataRate(100'000'000'000));
    EXPECT_EQ(ParseRate("2.5Gbps"), DataRate(2'500'000'000));
    EXPECT_EQ(ParseRate("0Gbps"),
              DataRate(0)); // The caller decides whether zero makes sense.
    EXPECT_EQ(ParseRate("100Gb/s"), DataRate(100'000'000'000));
    for (const char* text : {"",
                             "100",
                             "Gbps",
                             "-1Gbps",
                             "100gbps",
                             "100us",
                             "100Gbpsx",
                             ".5Gbps",
                             "5.Gbps",
                             "100GBps", // Eight times as much, or a slip.
                             "100GB/s",
                             "100Gib/s"})
    {
        EXPECT_EQ(ParseRate(text), std::nullopt) << text;
    }
}

TEST(Quantity, SaysWhatIsTooLargeOrTooFine)
{
    auto fault = QuantityFault::MALFORMED;
    // 2^63 bit/s are 9223372.04 Tb/s.
    EXPECT_EQ(ParseRate("9223373Tbps", &fault), std::nullopt);
    EXPECT_EQ(DescribeRateFault("9223373Tbps", fault), ", which is too large");
    EXPECT_EQ(ParseRate("0.1bps", &fault), std::nullopt);
    EXPECT_EQ(DescribeRateFault("0.1bps", fault), ", which is no whole number of bit/s");
    EXPECT_EQ(ParseRate("100GBps", &fault), std::nullopt);
    EXPECT_EQ(DescribeRateFault("100GBps", fault), ", which counts bytes");
    for (const char* time : {"9223373s", "1000000.000000000001s", "99999999999999999999999s"})
    {
        EXPECT_EQ(ParseTime(time, &fault), std::nullopt) << time;
        EXPECT_EQ(DescribeTimeFault(fault), ", which is too large (at most 1000000s)") << time;
    }
    EXPECT_EQ(ParseTime("1000000s"), Seconds(1'000'000));
    for (const char* size : {"16EiB", "8EiB", "9223372036854775808B", "9999999999999999999999PB"})
    {
        EXPECT_EQ(ParseBytes(size, &fault), std::nullopt) << size; // 2^63 - 1 is just below 8 EiB.
        EXPECT_EQ(DescribeBytesFault(fault), ", which is too large") << size;
    }
    EXPECT_EQ(ParseBytes("7EiB"), 7ULL << 60);
    EXPECT_EQ(ParseBytes("1e3B", &fault), std::nullopt);
    EXPECT_EQ(DescribeBytesFault(fault), "");
}

TEST(Quantity, ReadsTimes)
{
    EXPECT_EQ(ParseTime("1us"), MicroSeconds(1));
    EXPECT_EQ(ParseTime("0ns"), Seconds(0));
    EXPECT_EQ(ParseTime("1.5ms"), MicroSeconds(1500));
    EXPECT_EQ(ParseTime("2s"), Seconds(2));
    for (const char* text : {"", "1", "us", "-1us", "1min", "1 us", "0.5ps"})
    {
        EXPECT_EQ(ParseTime(text), std::nullopt) << text;
    }
}

TEST(Quantity, WritesTheShortestExactForm)
{
    EXPECT_EQ(FormatBytes(0), "0B");
    EXPECT_EQ(FormatBytes(1), "1B");
    EXPECT_EQ(FormatBytes(33'554'432), "32MiB");
    EXPECT_EQ(FormatBytes(400'000), "400kB");
    EXPECT_EQ(FormatBytes(6'400'000), "6400kB"); // "6250KiB" is as exact, but longer.
    EXPECT_EQ(FormatBytes(1001), "1001B");
    EXPECT_EQ(FormatRate(DataRate(100'000'000'000)), "100Gbps");
    EXPECT_EQ(FormatRate(DataRate(2'500'000'000)), "2500Mbps");
    EXPECT_EQ(FormatTime(MicroSeconds(1)), "1us");
    EXPECT_EQ(FormatTime(NanoSeconds(1500)), "1500ns");
    EXPECT_EQ(FormatTime(Seconds(0)), "0ps");
}

TEST(Quantity, ReadsBackWhatItWrites)
{
    for (const uint64_t value : {1ULL, 999ULL, 1024ULL, 1'600'000ULL, 123'456'789'012'345ULL})
    {
        EXPECT_EQ(ParseBytes(FormatBytes(value)), value);
        EXPECT_EQ(ParseRate(FormatRate(DataRate(value))), DataRate(value));
    }
}
