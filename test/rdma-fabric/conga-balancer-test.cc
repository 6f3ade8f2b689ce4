// SPDX-License-Identifier: GPL-2.0-only
#include "balancer-test-bench.h"

#include "ns3/rate-estimator.h"

#include <cmath>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr Tick US{1'000'000};

/// Leaves 4 (servers 0, 1) and 5 (servers 2, 3), spines 6 and 7.
class Conga : public BalancerBench
{
  protected:
    /// @param slow rate of the link from spine 7 to leaf 5
    void BuildLeafSpine(const std::string& slow = "100Gbps")
    {
        SetBalancer("CongaBalancer");
        SetOption("CongaBalancer::Timeout", "1us");
        TopologyGraph graph{{false, false, false, false, true, true, true, true}, {}};
        for (uint32_t server = 0; server < 4; ++server)
        {
            graph.links.push_back(
                {server, server < 2 ? 4U : 5U, DataRate("100Gbps"), MicroSeconds(1)});
        }
        graph.links.push_back({4, 6, DataRate("100Gbps"), MicroSeconds(1)});
        graph.links.push_back({4, 7, DataRate("100Gbps"), MicroSeconds(1)});
        graph.links.push_back({5, 6, DataRate("100Gbps"), MicroSeconds(1)});
        graph.links.push_back({5, 7, DataRate(slow), MicroSeconds(1)});
        Build(graph);
        CountUplinks(4, 2);
    }

    /// Each 2 us, longer than a flowlet's pause, a server sends eight frames.
    void SendBursts(uint32_t src, uint32_t dst, uint32_t bursts)
    {
        for (uint32_t burst = 0; burst < bursts; ++burst)
        {
            At(burst * 2 * US, [this, src, dst] {
                for (uint32_t frame = 0; frame < 8; ++frame)
                {
                    Server(src).Send(MakeFrame(src, dst));
                }
            });
        }
    }
};
} // namespace

TEST(RateEstimatorTest, SettlesAtTheRateTimesTheTimeConstant)
{
    // Bytes b at the begin of each interval: x = (x + b)(1 - g), so x = b (1 - g) / g before they
    // come: 1000 * 0.75 / 0.25 = 3000; b / g = 4000 after.
    const RateFilter filter{40 * US, 0.25};
    RateEstimator used;
    Tick now = 0;
    for (uint32_t interval = 0; interval < 200; ++interval)
    {
        now = interval * filter.interval;
        used.Add(1000, filter, now);
    }
    EXPECT_NEAR(used.Get(filter, now), 4000, 1e-6);
    EXPECT_NEAR(used.Get(filter, now + filter.interval - 1), 4000, 1e-6);
    EXPECT_NEAR(used.Get(filter, now + filter.interval), 3000, 1e-6);
    // 3000 * 0.75^9 after nine more.
    EXPECT_NEAR(used.Get(filter, now + 10 * filter.interval), 3000 * std::pow(0.75, 9), 1e-6);
    EXPECT_EQ(used.Get(filter, now + 1'000'000 * filter.interval), 0);
}

TEST_F(Conga, WithoutFeedbackALeafEvensItsUplinksOut)
{
    BuildLeafSpine();
    SendBursts(0, 2, 500);
    Simulator::Run();
    const std::vector<std::size_t> counts = GetCounts();
    EXPECT_EQ(counts[0] + counts[1], 4000);
    // The flow moves when the other uplink is a step, 1/8 of the rate, less used.
    EXPECT_NEAR(counts[0], 2000, 300);
}

TEST_F(Conga, FeedbackKeepsFlowletsFromALinkThatIsSlowBehindTheSpine)
{
    // 8,192 bytes each 2 us are 33 Gb/s: 2.6 steps of 100 Gb/s if all go one way, and 6.6 steps
    // of 40 Gb/s. Only frames in the other direction can say so.
    const auto countSlow = [this](bool isFedBack) {
        BuildLeafSpine("40Gbps");
        SendBursts(0, 2, 1000);
        if (isFedBack)
        {
            SendBursts(2, 0, 1000);
        }
        Simulator::Run();
        const std::size_t slow = GetCounts()[1];
        Clear();
        return slow;
    };
    EXPECT_NEAR(countSlow(false), 4000, 600);
    // Once the slow path has shown a step more than the other, it keeps it for Aging: nothing new
    // comes back while nothing takes it. Equal steps would be a share s with s / 40 = (1 - s) /
    // 100, s = 0.29, 2286 frames.
    EXPECT_LT(countSlow(true), 1000);
    // It is tried again after 20 us, and again each time that it has aged.
    SetOption("CongaBalancer::Aging", "20us");
    const std::size_t tried = countSlow(true);
    EXPECT_GT(tried, 1500);
    EXPECT_LT(tried, 3400);
}

TEST_F(Conga, FlowsThatBeginTogetherSpreadOverUnusedUplinks)
{
    BuildLeafSpine();
    // 100 flows of 1000 bytes: fewer than the 250,000 bytes (100 Gb/s x 160 us / 8) of a step, so
    // that both uplinks count as unused throughout. Binomial: 50 with a deviation of 5.
    for (uint32_t flow = 0; flow < 100; ++flow)
    {
        Frame frame = MakeFrame(0, 2);
        frame.entropy = flow;
        Server(0).Send(frame);
    }
    Simulator::Run();
    EXPECT_NEAR(GetCounts()[0], 50, 25);
}

TEST_F(Conga, AFlowWithoutPausesKeepsItsUplink)
{
    BuildLeafSpine();
    Server(0).Blast(MakeFrame(0, 2), 1000);
    Simulator::Run();
    const std::vector<std::size_t> counts = GetCounts();
    EXPECT_EQ(std::max(counts[0], counts[1]), 1000);
}

TEST_F(Conga, FramesArriveWithoutATagAndTheirLengthUnchanged)
{
    BuildLeafSpine();
    Server(0).Send(MakeFrame(0, 2));
    Server(0).Send(MakeFrame(0, 1));
    uint32_t tag = 1;
    Server(2).onReceive = [&](const Frame& frame) {
        tag = Core().pool.FindDetail(frame)->routeTag;
        EXPECT_EQ(frame.wireBytes, 1000);
    };
    Server(1).onReceive = [&](const Frame& frame) {
        EXPECT_EQ(Core().pool.FindDetail(frame), nullptr); // It did not leave the leaf.
    };
    Simulator::Run();
    EXPECT_EQ(tag, 0);
    EXPECT_EQ(Core().pool.GetInUse(), 0);
}
