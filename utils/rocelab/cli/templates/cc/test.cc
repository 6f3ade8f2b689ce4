// SPDX-License-Identifier: GPL-2.0-only
#include "template-name.cc"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

TEST(TemplateName, OneMarkPerRoundTripHalvesTheWindow)
{
    auto control = CreateObject<TemplateName>();
    control->Start({DataRate("100Gbps"), MicroSeconds(8), 1000}, Seconds(0));
    EXPECT_EQ(control->GetLimit().windowBytes, 100'000); // 100 Gb/s x 8 us.
    AckEvent ack{MicroSeconds(10),
                 MicroSeconds(10),
                 1000,
                 0,
                 true}; // now, rtt, acked, in flight, CE
    control->OnAck(ack);
    control->OnAck(ack);
    EXPECT_EQ(control->GetLimit().windowBytes, 50'000);
    ack.now = MicroSeconds(20);
    control->OnAck(ack);
    EXPECT_EQ(control->GetLimit().windowBytes, 25'000);
}

TEST(TemplateName, AWindowOfDataAddsOnePacket)
{
    auto control = CreateObject<TemplateName>();
    control->Start({DataRate("100Gbps"), MicroSeconds(8), 1000}, Seconds(0));
    control->OnAck({MicroSeconds(10), MicroSeconds(10), 100'000, 0, false});
    EXPECT_EQ(control->GetLimit().windowBytes, 101'000);
}
