// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/clustered-mean.h"

#include "ns3/random-stream.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

TEST(ClusteredMean, IsThatOfTheHandComputedExample)
{
    ClusteredMean mean(3, 3);
    mean.Add(0, 1, 10);
    mean.Add(0, 2, 20);
    mean.Add(1, 2, 30);
    const MeanEstimate estimate = mean.GetEstimate();
    EXPECT_DOUBLE_EQ(estimate.mean, 20);
    // Excess by source: 30 - 2 x 20 = -10, 30 - 20 = 10, 0; by destination: 0, -10, 50 - 40 = 10.
    // Either variance is 200 / 3^2 x 3 / 2 = 33.33; their sum 66.67 has the root 8.165; Student's t
    // with two degrees of freedom is 4.303.
    EXPECT_NEAR(estimate.halfWidth, 4.30265 * 8.16497, 0.001);
}

TEST(ClusteredMean, ServersWithoutFlowsCountAsServers)
{
    ClusteredMean few(9, 2);
    ClusteredMean many(9, 9);
    for (ClusteredMean* mean : {&few, &many})
    {
        mean->Add(0, 1, 10);
        mean->Add(1, 0, 30);
    }
    // Each variance: (100 + 100) / 4 x G / (G - 1). t: 12.706 with one degree, 2.306 with eight.
    EXPECT_NEAR(few.GetEstimate().halfWidth, 12.7062 * std::sqrt(2 * 50 * 2.0), 0.01);
    EXPECT_NEAR(many.GetEstimate().halfWidth, 2.30600 * std::sqrt(2 * 50 * 9.0 / 8), 0.001);
}

TEST(ClusteredMean, ALoneValueHasNoInterval)
{
    ClusteredMean mean(4, 4);
    EXPECT_EQ(mean.GetEstimate().mean, 0);
    mean.Add(0, 1, 7);
    EXPECT_EQ(mean.GetEstimate().mean, 7);
    EXPECT_EQ(mean.GetEstimate().halfWidth, 0);
    EXPECT_EQ(mean.GetCount(), 1);
}

TEST(ClusteredMean, TheOrderOfTheValuesDoesNotMatter)
{
    ClusteredMean forward(8, 8);
    ClusteredMean backward(8, 8);
    for (uint32_t i = 0; i < 1000; ++i)
    {
        const uint32_t j = 999 - i;
        forward.Add(i % 8, (i + 3) % 8, i * i * 7919 % 10007);
        backward.Add(j % 8, (j + 3) % 8, j * j * 7919 % 10007);
    }
    EXPECT_EQ(forward.GetEstimate().mean, backward.GetEstimate().mean);
    EXPECT_EQ(forward.GetEstimate().halfWidth, backward.GetEstimate().halfWidth);
}

/// @return how often, of 1000 samples, the interval held the true mean, 500. @param likeness of
/// the flows of one server: 0 none, 1 all the same
int
CountHits(double likeness)
{
    constexpr uint32_t SERVERS{64};
    RandomStream random(17, 1);
    int hits = 0;
    for (int sample = 0; sample < 1000; ++sample)
    {
        std::array<double, SERVERS> own{};
        for (double& level : own)
        {
            level = random.NextDouble();
        }
        ClusteredMean mean(SERVERS, SERVERS);
        for (int flow = 0; flow < 1000; ++flow)
        {
            const uint32_t src = random.Next32() % SERVERS;
            const uint32_t dst = (src + 1 + random.Next32() % (SERVERS - 1)) % SERVERS;
            const double level = likeness * own[dst] + (1 - likeness) * random.NextDouble();
            mean.Add(src, dst, std::llround(1000 * level));
        }
        const MeanEstimate estimate = mean.GetEstimate();
        hits += std::fabs(estimate.mean - 500) <= estimate.halfWidth;
    }
    return hits;
}

TEST(ClusteredMean, HoldsTheTruthAtLeastAsOftenAsItSaysWhetherFlowsAreAlikeOrNot)
{
    // 950 of 1000 with a standard deviation of 7. Two variances are more than flows that have
    // nothing in common need (the interval is 1.4 times too wide: 994), and about right if they
    // have a server in common. A plain standard error would hold the truth in about 380 of 1000.
    EXPECT_GT(CountHits(0), 980);
    EXPECT_GT(CountHits(1), 930);
    EXPECT_LT(CountHits(1), 985);
}

} // namespace
