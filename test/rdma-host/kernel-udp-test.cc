// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kernel-udp.h"

#include "../expect-error.h"

#include "ns3/string.h"
#include "ns3/verbs-error.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

KernelUdpLoad
MakeLoad(uint32_t bytes, uint32_t mtu = 9000)
{
    KernelUdpLoad load;
    load.datagramBytes = bytes;
    load.mtu = mtu;
    return load;
}

KernelUdpBandwidth
Measure(const KernelUdpLoad& load)
{
    return CreateObject<KernelUdp>()->MeasureBandwidth(*CreateObject<KernelTcp>(), load);
}

} // namespace

TEST(KernelUdp, DatagramsAreCutIntoPacketsOfMultiplesOfEight)
{
    // MTU 9000: 8980 bytes behind an IP header, 8976 of them in all packets but the last.
    EXPECT_EQ(MakeLoad(8972).CountFragments(), 1);
    EXPECT_EQ(MakeLoad(8973).CountFragments(), 2);
    EXPECT_EQ(MakeLoad(9000).CountFragments(), 2);
    EXPECT_EQ(MakeLoad(32'000).CountFragments(), 4); // 32008 / 8976 = 3.6.
    EXPECT_EQ(MakeLoad(64'000).CountFragments(), 8); // 64008 / 8976 = 7.1.
    EXPECT_EQ(MakeLoad(1472, 1500).CountFragments(), 1);
    EXPECT_EQ(MakeLoad(1473, 1500).CountFragments(), 2);
    // 9000 + UDP 8 + two times IPv4 20, Ethernet 18, preamble and gap 20.
    EXPECT_EQ(MakeLoad(9000).GetWireBytes(), 9000 + 8 + 2 * 58);
}

TEST(KernelUdp, TheReaderIsTheLimitAndItsCostsAddUp)
{
    // 9000 bytes: system call 300, as a segment 1500, copy at 84 Gb/s 857.1, half of the pages at
    // 178 Gb/s 202.2: 2859.4 ns a datagram are 25.18 Gb/s.
    const KernelUdpBandwidth result = Measure(MakeLoad(9000));
    EXPECT_NEAR(result.goodput, 9000 * 8 / 2859.4, 0.01);
    EXPECT_NEAR(result.readerCpu, 1, 0.001);
    // The sender: 300 + 1500 + 300 + copy at 160 Gb/s 450 = 2550 ns.
    EXPECT_NEAR(result.offered, 9000 * 8 / 2550.0, 0.01);
    EXPECT_NEAR(result.lost, 1 - 2550.0 / 2859.4, 0.001);
    // The softirq takes what the sender sends: 2 x 150 + 202.2 per 2550 ns, and an interrupt now
    // and then.
    EXPECT_GT(result.softirqCpu, 502.2 / 2550);
    EXPECT_LT(result.softirqCpu, 502.2 / 2550 + 0.125); // 1 us per 8 us at most.
}

TEST(KernelUdp, NothingIsLostWhenTheSenderIsSlower)
{
    const auto model = CreateObject<KernelUdp>();
    const auto stack = CreateObject<KernelTcp>();
    stack->SetAttribute("SendSegment", StringValue("10us"));
    const KernelUdpBandwidth result = model->MeasureBandwidth(*stack, MakeLoad(9000));
    EXPECT_EQ(result.lost, 0);
    EXPECT_NEAR(result.goodput, result.offered, 0.01);
    EXPECT_NEAR(result.senderCpu, 1, 0.001);
    EXPECT_LT(result.readerCpu, 0.5);
}

TEST(KernelUdp, TheLinkIsALimit)
{
    KernelUdpLoad load = MakeLoad(8972);
    load.rate = DataRate("10Gbps");
    const KernelUdpBandwidth result = Measure(load);
    EXPECT_NEAR(result.goodput, 10 * 8972.0 / (8972 + 8 + 58), 0.01);
    EXPECT_EQ(result.lost, 0);
}

TEST(KernelUdp, RefusesDatagramsThatDoNotExist)
{
    ExpectError<VerbsError>([] { MakeLoad(65'508).Check(); }, "1 to 65507 bytes, not 65508");
    ExpectError<VerbsError>([] { MakeLoad(0).Check(); }, "not 0");
    MakeLoad(65'507).Check();
}
