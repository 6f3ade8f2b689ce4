// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/bandwidth-summary.h"

#include "ns3/random-stream.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace ns3::rdma;

namespace
{

constexpr Tick US{1'000'000};
constexpr double EXACT{1e-9};
constexpr uint64_t MEBI{1 << 20};

/// perftest's own way: all pairs. @return messages per picosecond
double
FindPeakSlowly(const std::vector<Tick>& posted, const std::vector<Tick>& completed)
{
    double peak = 0;
    for (std::size_t i = 0; i < posted.size(); ++i)
    {
        for (std::size_t j = i; j < completed.size(); ++j)
        {
            peak = std::max(peak,
                            static_cast<double>(j - i + 1) /
                                static_cast<double>(completed[j] - posted[i]));
        }
    }
    return peak;
}

} // namespace

TEST(BandwidthSummary, CountsFromTheFirstPostingToTheLastCompletion)
{
    // 4 messages in 2 us: 2 million per second.
    const BandwidthSummary summary =
        SummarizeBandwidth({US, US, US, US}, {2 * US, 2 * US, 2 * US, 3 * US}, MEBI);
    EXPECT_NEAR(summary.messageRate, 2, EXACT);
    EXPECT_NEAR(summary.average, 2e6, 1e-3);
    // The first three in 1 us, all four in 2 us.
    EXPECT_NEAR(summary.peak, 3e6, 1e-3);
}

TEST(BandwidthSummary, CountsMegabytesOf2To20)
{
    const BandwidthSummary summary = SummarizeBandwidth({0}, {US}, 65536);
    EXPECT_NEAR(summary.average, 65536.0 * 1e6 / 1048576, EXACT); // 62,500.
    EXPECT_EQ(summary.peak, summary.average);
}

TEST(BandwidthSummary, FindsThePeakThatBeginsLate)
{
    // Message 0 takes 10 us, messages 1 and 2 take 1 us together.
    const BandwidthSummary summary =
        SummarizeBandwidth({0, 10 * US, 10 * US}, {10 * US, 11 * US, 11 * US}, MEBI);
    EXPECT_NEAR(summary.peak, 2e6, 1e-3);
    EXPECT_NEAR(summary.messageRate, 3.0 / 11, EXACT);
}

TEST(BandwidthSummary, FindsThePeakThatPerftestFinds)
{
    RandomStream random(1, 1);
    for (int round = 0; round < 200; ++round)
    {
        std::vector<Tick> posted;
        std::vector<Tick> completed;
        Tick now = random.Next32() % 1000;
        Tick done = now;
        for (int i = 0; i < 40; ++i)
        {
            posted.push_back(now);
            now += random.Next32() % 300;
            done = std::max(done + random.Next32() % 300, posted.back() + 1 + random.Next32() % 50);
            completed.push_back(done);
        }
        const double peak = FindPeakSlowly(posted, completed) * 1e12;
        EXPECT_NEAR(SummarizeBandwidth(posted, completed, MEBI).peak / peak, 1, EXACT) << round;
    }
}

TEST(BandwidthSummary, AddsTwoDirections)
{
    BandwidthSummary sum{1, 2, 3};
    sum += {10, 20, 30};
    EXPECT_EQ(sum.peak, 11);
    EXPECT_EQ(sum.average, 22);
    EXPECT_EQ(sum.messageRate, 33);
}
