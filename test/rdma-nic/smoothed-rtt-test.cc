// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/smoothed-rtt.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

// RFC 6298, section 2: SRTT = R, RTTVAR = R / 2 with the first measurement R; with each further one
// RTTVAR = 3/4 RTTVAR + 1/4 |SRTT - R'|, then SRTT = 7/8 SRTT + 1/8 R'; RTO = SRTT + max(G, 4
// RTTVAR).

TEST(SmoothedRtt, TheFirstSampleSetsBothValues)
{
    SmoothedRtt rtt;
    EXPECT_FALSE(rtt.HasSamples());
    rtt.Add(ToTick(MicroSeconds(8)));
    EXPECT_TRUE(rtt.HasSamples());
    EXPECT_EQ(rtt.GetTimeout(Time(0)), MicroSeconds(24)); // 8 + 4 x 4.
}

TEST(SmoothedRtt, FurtherSamplesMoveVariationFirst)
{
    SmoothedRtt rtt;
    rtt.Add(ToTick(MicroSeconds(8)));
    rtt.Add(ToTick(MicroSeconds(16)));
    // RTTVAR = 3/4 x 4 + 1/4 x 8 = 5; SRTT = 7/8 x 8 + 1/8 x 16 = 9.
    EXPECT_EQ(rtt.GetTimeout(Time(0)), MicroSeconds(29));
}

TEST(SmoothedRtt, TheGranularityIsALowerBoundOfTheMargin)
{
    SmoothedRtt rtt;
    rtt.Add(ToTick(MicroSeconds(8)));
    for (int i = 0; i < 200; ++i)
    {
        rtt.Add(ToTick(MicroSeconds(8))); // The variation fades.
    }
    EXPECT_EQ(rtt.GetTimeout(MicroSeconds(4)), MicroSeconds(12));
}
