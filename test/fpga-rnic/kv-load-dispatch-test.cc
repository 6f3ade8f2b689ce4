// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/kv-load-dispatch.h"

#include <gtest/gtest.h>

namespace ns3::rdma::test
{

namespace
{
KvLoadDispatch
MakeLongTail(double throughputRatio, double memoryRatio)
{
    return {memoryRatio, throughputRatio, 1e9};
}
} // namespace

TEST(KvLoadDispatch, UniformKeysHitAsOftenAsTheCacheIsOfTheShare)
{
    const KvLoadDispatch dispatch{1.0 / 16, 1, std::nullopt};
    EXPECT_DOUBLE_EQ(dispatch.GetHitProbability(0.5), 0.125);
    EXPECT_DOUBLE_EQ(dispatch.GetHitProbability(0.05), 1); // All of the share fits.
    // l = 1 - l * k / l: 15 / 16.
    EXPECT_NEAR(dispatch.FindShare(), 15.0 / 16, 1e-9);
}

TEST(KvLoadDispatch, ALongTailHitsByLogarithms)
{
    // Section 3.3.4: "as high as 0.7 with 1M cache in 1G corpus": log(1e6) / log(1e9) = 2 / 3.
    EXPECT_NEAR(MakeLongTail(1, 1e-3).GetHitProbability(1), 2.0 / 3, 1e-9);
}

TEST(KvLoadDispatch, TheBalancedShareIsThatOfTable5WithinFivePercent)
{
    // Rows: DRAM over PCIe 1/2, 1, 2, 4, 8; columns: NIC over host memory 1/1024 ... 1.
    constexpr double TABLE[5][6]{{0.366, 0.358, 0.350, 0.342, 0.335, 0.327},
                                 {0.583, 0.562, 0.543, 0.525, 0.508, 0.492},
                                 {0.830, 0.789, 0.752, 0.718, 0.687, 0.658},
                                 {1, 0.991, 0.933, 0.881, 0.835, 0.793},
                                 {1, 1, 1, 0.995, 0.937, 0.885}};
    double throughputRatio = 0.5;
    for (const auto& row : TABLE)
    {
        double memoryRatio = 1.0 / 1024;
        for (const double value : row)
        {
            const double share = MakeLongTail(throughputRatio, memoryRatio).FindShare();
            EXPECT_NEAR(share / value, 1, 0.05) << throughputRatio << ' ' << memoryRatio;
            memoryRatio *= 4;
        }
        throughputRatio *= 2;
    }
}

TEST(KvLoadDispatch, AtTheBalancedShareBothAreInFullUse)
{
    const KvLoadDispatch dispatch = MakeLongTail(2, 1.0 / 64);
    const double share = dispatch.FindShare();
    EXPECT_NEAR(dispatch.GetThroughput(share), 2 / share, 1e-6);
    EXPECT_LT(dispatch.GetThroughput(share * 0.9), dispatch.GetThroughput(share));
    EXPECT_LT(dispatch.GetThroughput(share * 1.1), dispatch.GetThroughput(share));
}

TEST(KvLoadDispatch, PartitioningPutsNoMoreOnTheDramThanFitsOrItCanServe)
{
    // A quarter as large: a fifth of the pairs, min(1 / 0.2, 1 / 0.8).
    EXPECT_DOUBLE_EQ(MakeLongTail(1, 0.25).GetPartitionedThroughput(), 1.25);
    // As large, but half as fast: a third of the pairs, 1 / (2 / 3).
    EXPECT_DOUBLE_EQ(MakeLongTail(0.5, 1).GetPartitionedThroughput(), 1.5);
}

} // namespace ns3::rdma::test
