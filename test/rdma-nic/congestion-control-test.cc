// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/congestion-control.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

TEST(PathInfo, TheBandwidthDelayProductIsInBytes)
{
    EXPECT_EQ((PathInfo{DataRate("100Gbps"), MicroSeconds(8), 1024}.GetBdpBytes()), 100'000);
    EXPECT_EQ((PathInfo{DataRate("40Gbps"), NanoSeconds(1234), 1024}.GetBdpBytes()), 6170);
}
