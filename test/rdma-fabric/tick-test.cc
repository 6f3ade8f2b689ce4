// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/tick.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

TEST(SerializationRate, IsExactAtEthernetRates)
{
    // A byte takes 8 bits / rate: 8 / 10^10 s = 800 ps at 10 Gb/s, and so on.
    const std::pair<const char*, Tick> PS_PER_BYTE[] = {{"1Gbps", 8000},
                                                        {"10Gbps", 800},
                                                        {"25Gbps", 320},
                                                        {"40Gbps", 200},
                                                        {"50Gbps", 160},
                                                        {"100Gbps", 80},
                                                        {"200Gbps", 40},
                                                        {"400Gbps", 20},
                                                        {"800Gbps", 10}};
    for (const auto& [rate, psPerByte] : PS_PER_BYTE)
    {
        const SerializationRate serialization{DataRate(rate)};
        for (const int64_t bytes : {0, 1, 64, 84, 1086, 1524, 9216, 1 << 20})
        {
            EXPECT_EQ(serialization.GetDuration(bytes), bytes * psPerByte) << rate << ' ' << bytes;
        }
    }
}

TEST(SerializationRate, IsWithinAPicosecondAtOddRates)
{
    // 1500 bytes are 12,000 bits: 12,000 / 7 Gb/s = 1,714,285.7 ps, 12,000 / 3 Gb/s = 4,000,000 ps.
    EXPECT_NEAR(SerializationRate(DataRate("7Gbps")).GetDuration(1500), 1'714'285.7, 1);
    EXPECT_NEAR(SerializationRate(DataRate("3Gbps")).GetDuration(1500), 4'000'000, 1);
}

TEST(SerializationRate, HoldsAFrameOfAMebibyteAtOneMegabitPerSecond)
{
    // 8 us per byte.
    EXPECT_EQ(SerializationRate(DataRate("1Mbps")).GetDuration(1 << 20), 8'388'608'000'000);
}

TEST(Tick, MapsTheEndOfTimeToNeverAndBack)
{
    EXPECT_EQ(ToTick(Time::Max()), TICK_NEVER);
    EXPECT_EQ(ToTime(TICK_NEVER), Time::Max());
    EXPECT_EQ(ToTick(NanoSeconds(3)), 3000);
    EXPECT_EQ(ToTime(3000), NanoSeconds(3));
}
