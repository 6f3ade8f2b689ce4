// SPDX-License-Identifier: GPL-2.0-only
#include "nic-test-bench.h"

#include "ns3/nstime.h"
#include "ns3/simple-topologies.h"
#include "ns3/smoothed-rtt.h"
#include "ns3/timeouts.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
class RttTimeoutTest : public testing::Test
{
  protected:
    Time Get(uint32_t consecutive = 0, uint32_t packets = 10) const
    {
        return m_timeout->Get({0, Psn(10), packets, consecutive, consecutive, &m_rtt});
    }

    void Measure(int64_t rttUs)
    {
        m_rtt.Add(ToTick(MicroSeconds(rttUs)));
    }

    Ptr<RttTimeout> m_timeout = CreateObject<RttTimeout>();
    SmoothedRtt m_rtt;
};
} // namespace

TEST_F(RttTimeoutTest, WaitsAsBackoffTimeoutDoesUntilItHasASample)
{
    EXPECT_TRUE(m_timeout->NeedsRtt());
    EXPECT_EQ(Get(), MicroSeconds(320));
    EXPECT_EQ(Get(0, 2), MicroSeconds(100));
    EXPECT_EQ(m_timeout->Get({0, Psn(10), 10, 0, 0, nullptr}), MicroSeconds(320));
}

TEST_F(RttTimeoutTest, FollowsTheRoundTripsAsRfc6298Says)
{
    Measure(40); // SRTT 40, RTTVAR 20.
    EXPECT_EQ(Get(), MicroSeconds(120));
    Measure(40); // RTTVAR 15.
    EXPECT_EQ(Get(), MicroSeconds(100));
    Measure(80); // RTTVAR 15 x 3/4 + 40 / 4 = 21.25, SRTT 45.
    EXPECT_EQ(Get(), MicroSeconds(130));
    Measure(45); // RTTVAR 15.9375.
    EXPECT_EQ(Get(), NanoSeconds(45'000 + 63'750));
}

TEST_F(RttTimeoutTest, DoublesPerExpiryAndKeepsItsBounds)
{
    Measure(40);
    EXPECT_EQ(Get(3), MicroSeconds(960));
    EXPECT_EQ(Get(30), MilliSeconds(400));
    for (int i = 0; i < 100; ++i)
    {
        Measure(4);
    }
    EXPECT_EQ(Get(), MicroSeconds(20));
}

TEST_F(RttTimeoutTest, TheFirstTimeoutIsALowerBound)
{
    // 20 us until there is a sample, too: RtoLow is 100 us.
    ASSERT_TRUE(m_timeout->GetFirst());
    EXPECT_EQ(m_timeout->GetFirst()->few, ToTick(MicroSeconds(20)));
    EXPECT_EQ(m_timeout->GetFirst()->many, ToTick(MicroSeconds(20)));
    const auto eager = CreateObjectWithAttributes<RttTimeout>("RtoLow", TimeValue(MicroSeconds(5)));
    EXPECT_EQ(eager->GetFirst()->few, ToTick(MicroSeconds(5)));
}

/// A lost tail is found by the timer: IRN waits 320 us, or 100 us with few packets in flight.
TEST(RttTimeout, FindsALostTailSoonerThanFixedTimeouts)
{
    Tick ends[2];
    for (const bool isMeasured : {false, true})
    {
        NicTestBench bench("irn");
        NicTestBench::Set("RdmaNic::RetransmissionTimeout",
                          isMeasured ? "ns3::rdma::RttTimeout" : "ns3::rdma::BackoffTimeout");
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
