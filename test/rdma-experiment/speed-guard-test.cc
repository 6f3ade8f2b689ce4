// SPDX-License-Identifier: GPL-2.0-only
#include "../bench/speed-guard.h"

#include "../test-files.h"

#include <gtest/gtest.h>

namespace
{

using namespace ns3::rdma;

/// What the model costs in these tests, and 0.4 of the bare loop's rate.
const HopCosts COSTS{800, 20, 2.5, 5};

SpeedGuard
MakeGuard()
{
    return {COSTS, 0.4, {"2026-01-02", "a tortoise", "g++ 1"}};
}

/// Costs of which one has changed by a factor, whether that passes, and what the line says if not.
struct CostCase
{
    const char* name;
    HopCosts costs;
    const char* reason; ///< Empty: it passes.
};

// Instructions may grow by 5 %, misses by 8 %, mispredicted branches by 20 %.
const CostCase COST_CASES[] = {
    {"Same", {800, 20, 2.5, 5}, ""},
    {"Cheaper", {400, 2, 0.1, 1}, ""},
    {"InstructionsInBounds", {839, 20, 2.5, 5}, ""},
    {"Instructions", {841, 20, 2.5, 5}, "FAILED (more instructions): "},
    {"L1InBounds", {800, 21.5, 2.5, 5}, ""},
    {"L1", {800, 21.7, 2.5, 5}, "FAILED (more L1 misses): "},
    {"L2InBounds", {800, 20, 2.69, 5}, ""},
    {"L2", {800, 20, 2.71, 5}, "FAILED (more L2 misses): "},
    {"MispredictionsInBounds", {800, 20, 2.5, 5.99}, ""},
    {"Mispredictions", {800, 20, 2.5, 6.01}, "FAILED (more mispredictions): "},
    {"OneThatGrowsIsNotMadeUpForByAnother", {900, 10, 1, 1}, "FAILED (more instructions): "},
    {"Two", {900, 20, 3, 5}, "FAILED (more instructions, more L2 misses): "},
};

class HopCostsOfAModel : public testing::TestWithParam<CostCase>
{
};

TEST_P(HopCostsOfAModel, AreHeldToTheFile)
{
    const auto verdict = MakeGuard().Judge(GetParam().costs, {{4}, {10}});
    const std::string reason = GetParam().reason;
    EXPECT_EQ(verdict.isPassed, reason.empty());
    const std::string start = "speed guard: " + (reason.empty() ? "passed: " : reason);
    EXPECT_EQ(verdict.line.find(start + "per packet-hop "), 0) << verdict.line;
}

INSTANTIATE_TEST_SUITE_P(SpeedGuard,
                         HopCostsOfAModel,
                         testing::ValuesIn(COST_CASES),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(SpeedGuard, TheBestRoundsDecide)
{
    // 0.65 x 0.4 = 0.26.
    EXPECT_TRUE(MakeGuard().IsFastEnough({{2, 2.65, 2.3}, {10, 8, 9}}));
    EXPECT_FALSE(MakeGuard().IsFastEnough({{2, 2.55, 2.3}, {10, 8, 9}}));
    EXPECT_FALSE(MakeGuard().Judge(COSTS, {{2, 2.55, 2.3}, {10, 8, 9}}).isPassed);
}

TEST(SpeedGuard, ADisturbedRoundOfTheBareLoopDoesNotLetASlowModelPass)
{
    // In the second round alone the ratio is 0.5.
    EXPECT_FALSE(MakeGuard().IsFastEnough({{2.5, 2.5, 2.5}, {10, 5, 10}}));
}

TEST(SpeedGuard, ItsLineSaysWhatWasMeasuredAndAgainstWhat)
{
    // 900 / 800 is 12.5 % more, 0.25 / 0.4 is 37.5 % less.
    EXPECT_EQ(
        MakeGuard().Judge({900, 20, 2.5, 4}, {{2.5, 2}, {10, 10}}).line,
        "speed guard: FAILED (more instructions, slower beside the bare loop): per packet-hop "
        "900 instructions (+12.5 %), 20 L1 misses (+0.0 %), 2.5 L2 misses (+0.0 %), "
        "4 mispredictions (-20.0 %), 0.250 of the bare loop's rate (-37.5 %); compared with "
        "2026-01-02, a tortoise, g++ 1");
}

TEST(SpeedGuard, ReadsWhatItHasWritten)
{
    const TemporaryFile file(MakeGuard().Format());
    EXPECT_EQ(SpeedGuard::Read(file.GetPath()).Format(), MakeGuard().Format());
}

TEST(SpeedGuard, TheProjectsOwnFileIsSound)
{
    SpeedGuard::Read(GetCheckout() / "test/bench/guard.json");
}

TEST(SpeedGuard, AnUnsoundFileIsOneClearError)
{
    const std::string counts =
        R"("per_hop": {"instructions": 8, "l1_misses": 2, "l2_misses": 1, "mispredictions": 5})";
    const std::string origin =
        R"("date": "2026-01-02", "machine": "a tortoise", "compiler": "g++ 1")";
    const std::string bad[] = {
        "",
        "[]",
        "{" + counts + R"(, "ratio": 0.4, "date": 1, "machine": "a", "compiler": "b"})",
        "{" + counts + ", " + origin + "}",
        "{" + counts + R"(, "ratio": "0.4", )" + origin + "}",
        "{" + counts + R"(, "ratio": 0, )" + origin + "}",
        R"({"ratio": 0.4, )" + origin + "}",
        R"({"per_hop": 800, "ratio": 0.4, )" + origin + "}",
        R"({"per_hop": {"instructions": 8}, "ratio": 0.4, )" + origin + "}",
    };
    for (const std::string& text : bad)
    {
        const TemporaryFile file(text);
        EXPECT_EQ(GetInputError([&file] { SpeedGuard::Read(file.GetPath()); }),
                  file.GetPath() +
                      R"(: expected {"per_hop": {"instructions", "l1_misses", "l2_misses", )"
                      R"("mispredictions": numbers above 0}, "ratio": a number above 0, )"
                      R"("date", "machine", "compiler": text})")
            << text;
    }
    EXPECT_EQ(GetInputError([] { SpeedGuard::Read("/nowhere/guard.json"); }),
              "/nowhere/guard.json: cannot be read");
}

} // namespace
