// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/flow-size-cdf.h"

#include "../test-files.h"

#include "ns3/random-stream.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace ns3::rdma;

namespace
{

/// A file of the project and what its source states about it.
struct TraceCase
{
    const char* file;
    const char* original; ///< In the reference data.
    double mean;          ///< Rounded to a byte.
};

const std::vector<TraceCase> TRACES = {
    {"cache-follower.cdf", "CacheFollower.srnic.txt", 712'570},
    {"web-search.cdf", "WebSearch.hpcc.txt", 1'711'250},
    {"hadoop.cdf", "FbHdp.hpcc.txt", 120'421},
    {"web-server.cdf", "WebServer.conweave.txt", 66'121},
    {"ali-storage.cdf", "AliStorage2019.hpcc.txt", 40'870},
};

/// A file with one fault, and the message without the path in front of it.
struct BadCdf
{
    const char* name;
    const char* text;
    const char* message;
};

const BadCdf BAD_CDFS[] = {
    {"Empty", "", ":1: expected at least two points, got 0"},
    {"OnlyComments", "# a\n# b\n", ":2: expected at least two points, got 0"},
    {"OnePoint", "# a\n0 0\n", ":2: expected at least two points, got 1"},
    {"SizeFalls",
     "0 0\n10 0.5\n9 1\n",
     ":3: expected sizes and probabilities that rise from \"10 0.5\", got \"9 1\""},
    {"ProbabilityFalls",
     "0 0\n\n10 0.5\n20 0.4\n30 1\n",
     ":4: expected sizes and probabilities that rise from \"10 0.5\", got \"20 0.4\""},
    {"PointTwice",
     "0 0\n10 0.5\n10 0.5\n30 1\n",
     ":3: expected a point other than the one before, got \"10 0.5\""},
    {"StartsAboveZero", "1 0.1\n10 1\n", ":1: expected 0 as first probability, got \"1 0.1\""},
    {"EndsEarly", "0 0\n10 0.99\n", ":2: expected 1 or 100 as last probability, got \"10 0.99\""},
    {"EndsAtFiftyPercent",
     "0 0\n10 50\n",
     ":2: expected 1 or 100 as last probability, got \"10 50\""},
    {"NegativeSize",
     "-1 0\n10 1\n",
     ":1: expected a size from 0 to 2^53 bytes and a probability from 0 to 1 or 100, got \"-1 0\""},
    {"NegativeProbability",
     "0 -0.5\n10 1\n",
     ":1: expected a size from 0 to 2^53 bytes and a probability from 0 to 1 or 100, got \"0 "
     "-0.5\""},
    {"AboveHundred",
     "0 0\n10 101\n",
     ":2: expected a size from 0 to 2^53 bytes and a probability from 0 to 1 or 100, got \"10 "
     "101\""},
    {"NoNumber", "0 0\nten 1\n", ":2: expected a size in bytes, got \"ten\""},
    {"NotANumber", "0 0\n10 nan\n", ":2: expected a probability, got \"nan\""},
    {"ThreeFields", "0 0 0\n10 1\n", ":1: expected 2 fields (bytes probability), got 3"},
    {"NothingButZero", "0 0\n0 1\n", ":2: expected a largest size of 1 byte or more, got \"0 1\""},
};

class Traces : public testing::TestWithParam<TraceCase>
{
};

class SourcesOfTraces : public testing::TestWithParam<TraceCase>
{
};

class BadCdfFile : public testing::TestWithParam<BadCdf>
{
};

std::string
GetSource(const TraceCase& trace)
{
    return std::string("reference/cdf/") + trace.original;
}

FlowSizeCdf
ReadTrace(const char* file)
{
    return FlowSizeCdf::Read((GetCheckout() / "traces" / file).string());
}

} // namespace

TEST_P(Traces, HasTheMeanThatItsSourceStates)
{
    EXPECT_EQ(std::round(ReadTrace(GetParam().file).GetMeanBytes()), GetParam().mean);
}

TEST_P(Traces, DrawsTheMeanThatItPromises)
{
    const FlowSizeCdf cdf = ReadTrace(GetParam().file);
    // One draw in the middle of each of a million slices is the integral to well below 0.01 %.
    constexpr int SLICES{1'000'000};
    double sum = 0;
    for (int i = 0; i < SLICES; ++i)
    {
        sum += static_cast<double>(cdf.GetQuantile((i + 0.5) / SLICES));
    }
    EXPECT_NEAR(sum / SLICES, cdf.GetMeanBytes(), cdf.GetMeanBytes() * 1e-4);
}

INSTANTIATE_TEST_SUITE_P(FlowSizeCdf, Traces, testing::ValuesIn(TRACES));

TEST_P(SourcesOfTraces, HaveTheSameQuantiles)
{
    const FlowSizeCdf ours = ReadTrace(GetParam().file);
    const FlowSizeCdf theirs = FlowSizeCdf::Read(GetSharedFile(GetSource(GetParam())));
    EXPECT_EQ(ours.GetMeanBytes(), theirs.GetMeanBytes());
    constexpr int STEPS{10'000};
    for (int step = 0; step < STEPS; ++step)
    {
        const double uniform = static_cast<double>(step) / STEPS;
        EXPECT_EQ(ours.GetQuantile(uniform), theirs.GetQuantile(uniform)) << uniform;
    }
}

INSTANTIATE_TEST_SUITE_P(FlowSizeCdf,
                         SourcesOfTraces,
                         testing::ValuesIn(KeepCasesWithSharedFile(TRACES, GetSource)));
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(SourcesOfTraces);

TEST_P(BadCdfFile, IsOneLineWithFileAndLine)
{
    const std::string text = GetParam().text;
    const TemporaryFile file(text.empty() || text.back() == '\n' ? text : text + '\n');
    EXPECT_EQ(GetInputError([&] { FlowSizeCdf::Read(file.GetPath()); }),
              file.GetPath() + GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(FlowSizeCdf,
                         BadCdfFile,
                         testing::ValuesIn(BAD_CDFS),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(FlowSizeCdf, InterpolatesBetweenPoints)
{
    const FlowSizeCdf cdf({{0, 0}, {100, 0.5}, {1100, 1}});
    EXPECT_EQ(cdf.GetQuantile(0.25), 50);          // Half way from 0 to 100.
    EXPECT_EQ(cdf.GetQuantile(0.5), 100);          // The corner itself.
    EXPECT_EQ(cdf.GetQuantile(0.75), 600);         // Half way from 100 to 1100.
    EXPECT_EQ(cdf.GetQuantile(0.999999), 1100);    // 100 + 0.999998 x 1000 = 1099.998.
    EXPECT_EQ(cdf.GetMeanBytes(), 25 + 0.5 * 600); // 0.5 x 50 + 0.5 x 600.
}

TEST(FlowSizeCdf, NeverDrawsAnEmptyFlow)
{
    const FlowSizeCdf cdf({{0, 0}, {100, 1}});
    EXPECT_EQ(cdf.GetQuantile(0), 1);
    EXPECT_EQ(cdf.GetQuantile(0.004), 1); // 0.4 bytes.
}

TEST(FlowSizeCdf, TakesEqualSizesAsAStepAndEqualProbabilitiesAsAGap)
{
    // 20 % below 300, 60 % exactly 300, none up to 600, 20 % from 600 to 1000.
    const FlowSizeCdf cdf({{100, 0}, {300, 0.2}, {300, 0.8}, {600, 0.8}, {1000, 1}});
    EXPECT_EQ(cdf.GetQuantile(0.1), 200);
    EXPECT_EQ(cdf.GetQuantile(0.2), 300);
    EXPECT_EQ(cdf.GetQuantile(0.79), 300);
    EXPECT_EQ(cdf.GetQuantile(0.8), 600);
    EXPECT_EQ(cdf.GetQuantile(0.9), 800);
    EXPECT_DOUBLE_EQ(cdf.GetMeanBytes(), 0.2 * 200 + 0.6 * 300 + 0.2 * 800);
}

TEST(FlowSizeCdf, HandlesFlowsOfOneSize)
{
    const FlowSizeCdf cdf({{4096, 0}, {4096, 1}});
    EXPECT_EQ(cdf.GetMeanBytes(), 4096);
    EXPECT_EQ(cdf.GetQuantile(0), 4096);
    EXPECT_EQ(cdf.GetQuantile(0.9999), 4096);
}

TEST(FlowSizeCdf, ReadsPercentLikeFractions)
{
    const TemporaryFile percent("0 0\n100 25\n200 100\n");
    const FlowSizeCdf cdf = FlowSizeCdf::Read(percent.GetPath());
    EXPECT_EQ(cdf.GetQuantile(0.25), 100); // The corner itself.
    EXPECT_EQ(cdf.GetMeanBytes(), 0.25 * 50 + 0.75 * 150);
}

TEST(FlowSizeCdf, ChecksPointsGivenByHand)
{
    EXPECT_EQ(GetInputError([] {
                  FlowSizeCdf({{0, 0}, {10, 0.5}});
              }),
              "size distribution:1: expected 1 or 100 as last probability, got \"10 0.5\"");
}
