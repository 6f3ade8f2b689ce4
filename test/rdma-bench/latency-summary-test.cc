// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/latency-summary.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace ns3::rdma;

namespace
{

constexpr Tick US{1'000'000};
constexpr double EXACT{1e-9};

/// 1 to n microseconds, the largest first.
std::vector<Tick>
CountDown(Tick n)
{
    std::vector<Tick> sample;
    for (Tick value = n; value > 0; --value)
    {
        sample.push_back(value * US);
    }
    return sample;
}

} // namespace

TEST(LatencySummary, SumsUpASmallSample)
{
    const LatencySummary summary = SummarizeLatency({7 * US, 1 * US, 3 * US, 5 * US}, 1);
    EXPECT_NEAR(summary.min, 1, EXACT);
    EXPECT_NEAR(summary.max, 7, EXACT);
    EXPECT_NEAR(summary.typical, 4, EXACT); // Between 3 and 5.
    EXPECT_NEAR(summary.average, 4, EXACT);
    EXPECT_NEAR(summary.deviation, std::sqrt(5.0), EXACT); // (9 + 1 + 1 + 9) / 4 = 5.
    EXPECT_NEAR(summary.p99, 7, EXACT);
    EXPECT_NEAR(summary.p999, 7, EXACT);
}

TEST(LatencySummary, HalvesRoundTrips)
{
    const LatencySummary summary = SummarizeLatency({2 * US, 8 * US, 5 * US}, 2);
    EXPECT_NEAR(summary.min, 1, EXACT);
    EXPECT_NEAR(summary.max, 4, EXACT);
    EXPECT_NEAR(summary.typical, 2.5, EXACT);
    EXPECT_NEAR(summary.average, 2.5, EXACT);
    EXPECT_NEAR(summary.deviation, std::sqrt(6.0) / 2, EXACT); // (9 + 9 + 0) / 3 = 6.
    EXPECT_NEAR(summary.p99, 4, EXACT);
}

TEST(LatencySummary, TakesTheNearestRank)
{
    // Of 1000: rank 990 and 999. Of 1001: ceil(990.99) = 991 and ceil(999.999) = 1000.
    const LatencySummary thousand = SummarizeLatency(CountDown(1000), 1);
    EXPECT_NEAR(thousand.p1, 10, EXACT);
    EXPECT_NEAR(thousand.p5, 50, EXACT);
    EXPECT_NEAR(thousand.p95, 950, EXACT);
    EXPECT_NEAR(thousand.p99, 990, EXACT);
    EXPECT_NEAR(thousand.p999, 999, EXACT);
    EXPECT_NEAR(thousand.typical, 500.5, EXACT);
    const LatencySummary more = SummarizeLatency(CountDown(1001), 1);
    EXPECT_NEAR(more.p99, 991, EXACT);
    EXPECT_NEAR(more.p999, 1000, EXACT);
    EXPECT_NEAR(more.typical, 501, EXACT);
}

TEST(LatencySummary, TakesOneValueForAll)
{
    const LatencySummary summary = SummarizeLatency({3 * US}, 1);
    EXPECT_NEAR(summary.min, 3, EXACT);
    EXPECT_NEAR(summary.p999, 3, EXACT);
    EXPECT_EQ(summary.deviation, 0);
}

TEST(LatencySummary, MeasuresFromOnePostingToTheNext)
{
    EXPECT_EQ(GetDifferences({5, 8, 8, 20}), (std::vector<Tick>{3, 0, 12}));
}
