// SPDX-License-Identifier: GPL-2.0-only
// Balancers that choose for each frame: spraying, round robin, DRILL, least queue.
#include "balancer-test-bench.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

using namespace ns3;
using namespace ns3::rdma;

namespace
{
constexpr Tick US{1'000'000};

class QueueBalancers : public BalancerBench
{
  protected:
    /// Frames of a thousand bytes, one each 10 us, so that all queues are empty.
    void SendOneByOne(uint32_t frames)
    {
        for (uint32_t psn = 0; psn < frames; ++psn)
        {
            At(psn * 10 * US, [this, psn] { Server(0).Send(MakeFrame(0, SINK, psn)); });
        }
        Simulator::Run();
        EXPECT_EQ(order.size(), frames);
    }

    /// Four servers of 400 Gb/s send this many frames each at once over 4 uplinks of 100 Gb/s.
    /// @return the most bytes that waited at one uplink
    uint32_t MeasureLongest(const std::string& balancer, uint32_t frames)
    {
        SetBalancer(balancer);
        BuildParallel(4);
        for (uint32_t server = 0; server < 4; ++server)
        {
            Server(server).Blast(MakeFrame(server, SINK), frames);
        }
        Simulator::Run();
        uint32_t longest = 0;
        for (uint32_t uplink = 0; uplink < 4; ++uplink)
        {
            longest =
                std::max(longest, m_fabric->GetLinkPort(SINK + 1 + uplink, 0).TakeMaxQueueBytes());
        }
        EXPECT_EQ(order.size(), 4 * frames);
        Clear();
        order.clear();
        return longest;
    }
};
} // namespace

TEST_F(QueueBalancers, SprayedFramesOfOneFlowTakeAllPortsAlike)
{
    constexpr uint32_t FRAMES{4000};
    SetBalancer("SprayBalancer");
    BuildParallel(4);
    SendOneByOne(FRAMES);
    const double tolerance = 5 * std::sqrt(FRAMES / 4.0 * 3 / 4); // Standard deviations.
    for (const std::size_t count : GetCounts())
    {
        EXPECT_NEAR(count, FRAMES / 4, tolerance);
    }
}

TEST_F(QueueBalancers, EachRoundHasEachPortOnceAndAnotherOrder)
{
    constexpr uint32_t ROUNDS{200};
    SetBalancer("RoundRobinBalancer");
    BuildParallel(4);
    SendOneByOne(4 * ROUNDS);
    std::set<std::vector<uint32_t>> orders;
    for (auto round = order.begin(); round != order.end(); round += 4)
    {
        orders.emplace(round, round + 4);
    }
    for (std::vector<uint32_t> one : orders)
    {
        std::sort(one.begin(), one.end());
        ASSERT_EQ(one, (std::vector<uint32_t>{0, 1, 2, 3}));
    }
    // 24 orders; one of them is not among 200 with probability (23/24)^200, 0.0002.
    EXPECT_EQ(orders.size(), 24);
}

TEST_F(QueueBalancers, WithoutShufflingTheFirstOrderStays)
{
    SetBalancer("RoundRobinBalancer");
    SetOption("RoundRobinBalancer::ShufflesAgain", "false");
    BuildParallel(3);
    SendOneByOne(30);
    for (std::size_t frame = 3; frame < order.size(); ++frame)
    {
        ASSERT_EQ(order[frame], order[frame - 3]);
    }
}

TEST_F(QueueBalancers, ARoundGoesOnWithThePortsThatAreLeftAfterALinkWentDown)
{
    SetBalancer("RoundRobinBalancer");
    BuildParallel(4);
    At(295 * US, [this] { m_fabric->SetLinkUp(SINK + 1, false); });
    SendOneByOne(60);
    // Frames 0 to 29 have four ports, 30 to 59 three: 10 each.
    EXPECT_EQ(std::count(order.begin() + 30, order.end(), 0), 0);
    for (uint32_t uplink = 1; uplink < 4; ++uplink)
    {
        EXPECT_EQ(std::count(order.begin() + 30, order.end(), uplink), 10);
    }
}

TEST_F(QueueBalancers, QueuesAreShorterTheMoreABalancerKnows)
{
    // 16 times an uplink's rate for as long as 500 frames of each server take at 400 Gb/s: 10.24
    // us. 2000 frames over 4 uplinks leave at least (2000 - 4 * 125) / 4 = 375 frames in each
    // queue, 384,000 bytes with framing, if all are alike.
    constexpr uint32_t FRAMES{500};
    constexpr uint32_t EVEN{375'000}; // Queues count frames without framing.
    SetOption("AdaptiveBalancer::Grade", "1");
    const uint32_t least = MeasureLongest("AdaptiveBalancer", FRAMES);
    const uint32_t drill = MeasureLongest("DrillBalancer", FRAMES);
    SetOption("DrillBalancer::Memory", "0");
    const uint32_t choices = MeasureLongest("DrillBalancer", FRAMES);
    const uint32_t round = MeasureLongest("RoundRobinBalancer", FRAMES);
    const uint32_t spray = MeasureLongest("SprayBalancer", FRAMES);
    // The last frames arrive one by one: queues of the least-queue balancer differ by a frame.
    EXPECT_NEAR(least, EVEN, 4'000);
    EXPECT_LE(drill, least + 3'000);
    EXPECT_LE(choices, least + 6'000);
    EXPECT_LE(round, least + 4'000);
    // A binomial count of 2000 with p = 1/4 has a standard deviation of 19 frames.
    EXPECT_GT(spray, least + 5'000);
    EXPECT_LT(spray, least + 4 * 19'000);
}

TEST_F(QueueBalancers, AGradeHidesDifferencesThatAreSmaller)
{
    // All queues are of the same grade: the choice is random, as sprayed.
    SetOption("AdaptiveBalancer::Grade", "1000000000");
    EXPECT_GT(MeasureLongest("AdaptiveBalancer", 500), 380'000);
}

TEST_F(QueueBalancers, QueuesBetweenTwoLimitsCountAsEqual)
{
    // The queues grow to 375,000 bytes. Beyond 144,000 all are of one grade, and some 230 frames of
    // each are left to chance: a standard deviation of 13 frames.
    const uint32_t longest = MeasureLongest("AdaptiveBalancer", 500);
    EXPECT_GT(longest, 378'000);
    // A queue of 370,000 bytes gets no frame until all others have as many; 20 frames are left.
    SetOption("AdaptiveBalancer::MediumLimit", "370000");
    EXPECT_LT(MeasureLongest("AdaptiveBalancer", 500), longest);
    // All queues count as empty.
    SetOption("AdaptiveBalancer::LowLimit", "1000000");
    SetOption("AdaptiveBalancer::MediumLimit", "1000000");
    EXPECT_GT(MeasureLongest("AdaptiveBalancer", 500), longest);
}

TEST_F(QueueBalancers, AnAdaptiveFlowletKeepsItsPortUntilItPauses)
{
    SetBalancer("AdaptiveBalancer");
    SetOption("AdaptiveBalancer::Timeout", "20us");
    BuildParallel(4);
    SendOneByOne(100); // Each 10 us.
    EXPECT_EQ(std::set<uint32_t>(order.begin(), order.end()).size(), 1);
}

TEST_F(QueueBalancers, TheSameSeedGivesTheSamePorts)
{
    for (const char* balancer :
         {"SprayBalancer", "RoundRobinBalancer", "DrillBalancer", "AdaptiveBalancer"})
    {
        SetBalancer(balancer);
        BuildParallel(4);
        SendOneByOne(100);
        const std::vector<uint32_t> first = order;
        Clear();
        order.clear();
        BuildParallel(4);
        SendOneByOne(100);
        EXPECT_EQ(order, first) << balancer;
        Clear();
        order.clear();
    }
}
