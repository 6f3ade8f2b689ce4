// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/payload-prefetch.h"

#include "nic-test-bench.h"

#include "ns3/simple-topologies.h"

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr uint32_t MTU{4096};

/// @return when a WRITE has ended, ns, between two cards with a budget of 16 packets.
double
Write(uint32_t prefetchBytes, const std::string& readLatency, uint32_t packets = 64)
{
    NicTestBench bench("balboa", true);
    NicTestBench::Set("RdmaNic::PathMtu", std::to_string(MTU));
    NicTestBench::Set("NicHardware::Prefetch", std::to_string(prefetchBytes));
    NicTestBench::Set("PcieLink::ReadLatency", readLatency);
    bench.Build(MakeBackToBack(DataRate("100Gbps"), MicroSeconds(3)));
    const auto pair = bench.Connect(0, 1);
    bench.Post(pair, 1, packets * MTU);
    bench.Run();
    EXPECT_EQ(bench.CountEnded(WcStatus::SUCCESS), 1);
    return static_cast<double>(bench.GetEnded().front().at) / 1e3;
}
} // namespace

TEST(PayloadPrefetch, GivesTheTimeOfEachPacketOnce)
{
    PayloadPrefetch ahead;
    ahead.Push(5, 4096, 100);
    ahead.Push(6, 4096, 200);
    EXPECT_EQ(ahead.GetBytes(), 8192);
    EXPECT_EQ(ahead.GetEnd(), 7);
    EXPECT_EQ(ahead.Take(5), Tick{100});
    EXPECT_EQ(ahead.GetBytes(), 4096);
    EXPECT_EQ(ahead.Take(5), std::nullopt);
    EXPECT_EQ(ahead.Take(6), Tick{200});
    EXPECT_EQ(ahead.GetBytes(), 0);
}

TEST(PayloadPrefetch, ForgetsPacketsThatAreBeforeTheOneTaken)
{
    PayloadPrefetch ahead;
    ahead.Push(5, 4096, 100);
    ahead.Skip(7); // A READ, which has no payload.
    ahead.Push(7, 64, 300);
    EXPECT_EQ(ahead.Take(6), std::nullopt);
    EXPECT_EQ(ahead.GetBytes(), 64);
    EXPECT_EQ(ahead.Take(7), Tick{300});
    EXPECT_EQ(ahead.Take(8), std::nullopt);
    EXPECT_EQ(ahead.GetEnd(), 8);
}

TEST(PayloadPrefetch, TakesThePcieReadOutOfTheRoundTripThatFlowControlLimits)
{
    // 64 packets are four budgets of 16: the first packet's read, and three round trips of more
    // than 6 us of links. 1 us more per read: once with prefetch, four times without.
    EXPECT_NEAR(Write(32768, "2us") - Write(32768, "1us"), 1000, 20);
    EXPECT_NEAR(Write(0, "2us") - Write(0, "1us"), 4000, 20);
}

TEST(PayloadPrefetch, ChangesNothingForOnePacket)
{
    EXPECT_EQ(Write(32768, "1us", 1), Write(0, "1us", 1));
}
