// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/rtt-selective-repeat.h"

#include "nic-test-bench.h"

#include "ns3/simple-topologies.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
const SendWindow WINDOW{Psn(10), Psn(20)};

void
Measure(RttSelectiveRepeat& policy, int64_t rttUs)
{
    policy.OnAck(WINDOW, {MicroSeconds(1000), MicroSeconds(rttUs)});
}
} // namespace

TEST(RttSelectiveRepeat, WaitsAsSelectiveRepeatDoesUntilItHasASample)
{
    const auto policy = CreateObject<RttSelectiveRepeat>();
    EXPECT_EQ(policy->GetTimeout(WINDOW, 0), MicroSeconds(320));
    EXPECT_EQ(policy->GetTimeout({Psn(10), Psn(12)}, 0), MicroSeconds(100));
}

TEST(RttSelectiveRepeat, FollowsTheRoundTripsAsRfc6298Says)
{
    const auto policy = CreateObject<RttSelectiveRepeat>();
    Measure(*policy, 40); // SRTT 40, RTTVAR 20.
    EXPECT_EQ(policy->GetTimeout(WINDOW, 0), MicroSeconds(120));
    Measure(*policy, 40); // RTTVAR 15.
    EXPECT_EQ(policy->GetTimeout(WINDOW, 0), MicroSeconds(100));
    Measure(*policy, 80); // RTTVAR 15 x 3/4 + 40 / 4 = 21.25, SRTT 45.
    EXPECT_EQ(policy->GetTimeout(WINDOW, 0), MicroSeconds(130));
    policy->OnNack({Psn(10), Psn(12), {MicroSeconds(2000), MicroSeconds(45)}}, WINDOW);
    // RTTVAR 15.9375.
    EXPECT_EQ(policy->GetTimeout(WINDOW, 0), NanoSeconds(45'000 + 63'750));
}

TEST(RttSelectiveRepeat, DoublesPerExpiryAndKeepsItsBounds)
{
    const auto policy = CreateObject<RttSelectiveRepeat>();
    Measure(*policy, 40);
    EXPECT_EQ(policy->GetTimeout(WINDOW, 3), MicroSeconds(960));
    EXPECT_EQ(policy->GetTimeout(WINDOW, 30), MilliSeconds(400));
    for (int i = 0; i < 100; ++i)
    {
        Measure(*policy, 4);
    }
    EXPECT_EQ(policy->GetTimeout(WINDOW, 0), MicroSeconds(20));
}

TEST(RttSelectiveRepeat, RecoversAsSelectiveRepeatDoes)
{
    const auto policy = CreateObject<RttSelectiveRepeat>();
    EXPECT_TRUE(policy->NeedsOnAck());
    EXPECT_EQ(policy->OnNack({Psn(10), Psn(12), {}}, WINDOW), (ResendList{{Psn(10), Psn(12)}}));
    EXPECT_EQ(policy->OnTimeout(WINDOW, {}), (ResendList{{Psn(10), Psn(12)}}));
}

/// A lost tail is found by the timer: IRN waits 320 us, or 100 us with few packets in flight.
TEST(RttSelectiveRepeat, FindsALostTailSoonerThanFixedTimeouts)
{
    Tick ends[2];
    for (const bool isMeasured : {false, true})
    {
        NicTestBench bench("irn");
        NicTestBench::Set("RdmaNic::LossRecovery",
                          isMeasured ? "ns3::rdma::RttSelectiveRepeat"
                                     : "ns3::rdma::SelectiveRepeat");
        bench.Build(MakeStar(2, DataRate("100Gbps"), MicroSeconds(1)));
        bench.Lose(0, 0, [](const Frame&, uint64_t number) { return number == 99; });
        const auto pair = bench.Connect(0, 1);
        bench.Post(pair, 1, 100 * 1024);
        bench.Run();
        EXPECT_EQ(bench.CountEnded(WcStatus::SUCCESS), 1);
        EXPECT_EQ(bench.GetSent(pair).timeouts, 1);
        ends[isMeasured] = bench.GetEnded().at(0).at;
    }
    // The round trip is below 20 us: the least timeout instead of the least of IRN.
    EXPECT_LT(ends[1] + 70'000'000, ends[0]);
}
