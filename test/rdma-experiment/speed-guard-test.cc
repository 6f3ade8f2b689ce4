// SPDX-License-Identifier: GPL-2.0-only
#include "../bench/speed-guard.h"

#include "../test-files.h"

#include <gtest/gtest.h>

namespace
{

using namespace ns3::rdma;

SpeedGuard
MakeGuard(const std::string& ratio)
{
    const TemporaryFile file(R"({"ratio": )" + ratio +
                             R"(, "date": "2026-01-02", "machine": "a tortoise"})");
    return SpeedGuard::Read(file.GetPath());
}

TEST(SpeedGuard, TheBestRoundsDecide)
{
    // 0.85 x 0.4 = 0.34.
    EXPECT_TRUE(MakeGuard("0.4").Judge({{2, 3.45, 3}, {10, 8, 9}}).isPassed);
    EXPECT_FALSE(MakeGuard("0.4").Judge({{2, 3.35, 3}, {10, 8, 9}}).isPassed);
}

TEST(SpeedGuard, ADisturbedRoundOfTheBareLoopDoesNotLetASlowModelPass)
{
    // In the second round alone the ratio is 0.6.
    EXPECT_FALSE(MakeGuard("0.4").Judge({{3, 3, 3}, {10, 5, 10}}).isPassed);
}

TEST(SpeedGuard, AFasterModelPasses)
{
    EXPECT_TRUE(MakeGuard("0.4").Judge({{8}, {10}}).isPassed);
}

TEST(SpeedGuard, ItsLineSaysWhatWasMeasuredAndAgainstWhat)
{
    const std::string line = MakeGuard("0.4").Judge({{3, 2}, {10, 10}}).line;
    EXPECT_EQ(line.find("speed guard: FAILED: full model by bare loop is 0.300, 25.0 % below the "
                        "0.400 of "),
              0)
        << line;
    EXPECT_NE(line.find("(2026-01-02, a tortoise)"), std::string::npos) << line;
    EXPECT_EQ(
        MakeGuard("0.4")
            .Judge({{5}, {10}})
            .line.find(
                "speed guard: passed: full model by bare loop is 0.500, 25.0 % above the 0.400"),
        0);
}

TEST(SpeedGuard, TheProjectsOwnFileIsSound)
{
    SpeedGuard::Read(GetCheckout() / "test/bench/guard.json");
}

TEST(SpeedGuard, AnUnsoundFileIsOneClearError)
{
    const char* const bad[] = {
        "",
        "[]",
        R"({"date": "2026-01-02", "machine": "a tortoise"})",
        R"({"ratio": "0.4", "date": "2026-01-02", "machine": "a tortoise"})",
        R"({"ratio": 0, "date": "2026-01-02", "machine": "a tortoise"})",
        R"({"ratio": 0.4, "machine": "a tortoise"})",
        R"({"ratio": 0.4, "date": "2026-01-02", "machine": 1})",
    };
    for (const char* text : bad)
    {
        const TemporaryFile file(text);
        EXPECT_EQ(GetInputError([&file] { SpeedGuard::Read(file.GetPath()); }),
                  file.GetPath() +
                      R"(: expected {"ratio": a number above 0, "date": text, "machine": text})")
            << text;
    }
    EXPECT_EQ(GetInputError([] { SpeedGuard::Read("/nowhere/guard.json"); }),
              "/nowhere/guard.json: cannot be read");
}

} // namespace
