// SPDX-License-Identifier: GPL-2.0-only
#include "../bench/speed-guard.h"

#include "../test-files.h"

#include <gtest/gtest.h>

namespace
{

using namespace ns3::rdma;

/// What the model costs in these tests, and 0.4 of the bare loop's rate.
const GuardCosts COSTS{{800, 20, 2.5, 5}, 4000, {1000, 600}, {1200, 900}};

SpeedGuard
MakeGuard()
{
    return {COSTS, 0.4, {"2026-01-02", "a tortoise", "g++ 1"}};
}

/// Costs with a change, and the reason for which the guard fails.
struct CostCase
{
    const char* name;
    GuardCosts costs;
    const char* reason; ///< Empty: it passes.
};

GuardCosts
WithHop(const HopCosts& hop)
{
    GuardCosts costs = COSTS;
    costs.hop = hop;
    return costs;
}

GuardCosts
WithFlow(double instructions)
{
    GuardCosts costs = COSTS;
    costs.flowInstructions = instructions;
    return costs;
}

GuardCosts
WithHardware(const HardwareCosts& srnic, const HardwareCosts& connectx6)
{
    GuardCosts costs = COSTS;
    costs.srnic = srnic;
    costs.connectx6 = connectx6;
    return costs;
}

// Instructions may grow by 3 %, misses by 8 %, mispredicted branches by 20 %.
const CostCase COST_CASES[] = {
    {"Same", COSTS, ""},
    {"Cheaper", {{400, 2, 0.1, 1}, 2000, {500, 300}, {600, 450}}, ""},
    {"InstructionsInBounds", WithHop({823, 20, 2.5, 5}), ""},
    {"Instructions", WithHop({825, 20, 2.5, 5}), "more instructions per packet-hop"},
    {"L1InBounds", WithHop({800, 21.5, 2.5, 5}), ""},
    {"L1", WithHop({800, 21.7, 2.5, 5}), "more L1 misses"},
    {"L2InBounds", WithHop({800, 20, 2.69, 5}), ""},
    {"L2", WithHop({800, 20, 2.71, 5}), "more L2 misses"},
    {"MispredictionsInBounds", WithHop({800, 20, 2.5, 5.99}), ""},
    {"Mispredictions", WithHop({800, 20, 2.5, 6.01}), "more mispredictions"},
    {"FlowInBounds", WithFlow(4119), ""},
    {"Flow", WithFlow(4121), "more instructions per flow"},
    {"HardwareInBounds", WithHardware({1029, 600}, {1235, 900}), ""},
    {"HardwareOfSrnic",
     WithHardware({1031, 600}, {1200, 900}),
     "more instructions of srnic with hardware on"},
    {"HardwareOfConnectx6",
     WithHardware({1000, 600}, {1237, 900}),
     "more instructions of connectx6 with hardware on"},
    {"HardwareOffIsPrintedOnly", WithHardware({1000, 900}, {1200, 1900}), ""},
    {"OneThatGrowsIsNotMadeUpForByAnother",
     WithHop({900, 10, 1, 1}),
     "more instructions per packet-hop"},
    {"Two", WithHop({900, 20, 3, 5}), "more instructions per packet-hop, more L2 misses"},
};

class CostsOfAModel : public testing::TestWithParam<CostCase>
{
};

TEST_P(CostsOfAModel, AreHeldToTheFile)
{
    const auto verdict = MakeGuard().Judge(GetParam().costs, {{4}, {10}});
    const std::string reason = GetParam().reason;
    EXPECT_EQ(verdict.isPassed, reason.empty());
    const std::string start =
        "speed guard: " + (reason.empty() ? "passed; " : "FAILED (" + reason + "); ");
    EXPECT_EQ(verdict.text.find(start + "compared with "), 0) << verdict.text;
}

INSTANTIATE_TEST_SUITE_P(SpeedGuard,
                         CostsOfAModel,
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

TEST(SpeedGuard, ItsTextHasTheVerdictAndALineForEachKindOfCosts)
{
    // 900 / 800 is 12.5 % more, 0.25 / 0.4 is 37.5 % less, 600 / 1000 is 0.60, 900 / 1500 as well.
    const GuardCosts costs{{900, 20, 2.5, 4}, 4100, {1000, 600}, {1500, 900}};
    EXPECT_EQ(MakeGuard().Judge(costs, {{2.5, 2}, {10, 10}}).text,
              "speed guard: FAILED (more instructions per packet-hop, more instructions of "
              "connectx6 with hardware on, slower beside the bare loop); compared with "
              "2026-01-02, a tortoise, g++ 1\n"
              "  per packet-hop: 900 instructions (+12.5 %), 20 L1 misses (+0.0 %), "
              "2.5 L2 misses (+0.0 %), 4 mispredictions (-20.0 %)\n"
              "  per flow of one packet, without its packet-hops: 4100 instructions (+2.5 %)\n"
              "  per packet-hop with hardware on: 1000 instructions of srnic (+0.0 %), "
              "1500 instructions of connectx6 (+25.0 %); off/on 0.60 and 0.60\n"
              "  processor time: 0.250 of the bare loop's rate (-37.5 %)");
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
    const std::string hop =
        R"("per_hop": {"instructions": 8, "l1_misses": 2, "l2_misses": 1, "mispredictions": 5})";
    const std::string flow = R"("per_flow": {"instructions": 40})";
    const std::string hardware =
        R"("per_hop_hardware_on": {"srnic_instructions": 9, "connectx6_instructions": 10})";
    const std::string counts = hop + ", " + flow + ", " + hardware;
    const std::string origin =
        R"("date": "2026-01-02", "machine": "a tortoise", "compiler": "g++ 1")";
    const std::string end = R"(, "ratio": 0.4, )" + origin + "}";
    const TemporaryFile good("{" + counts + end);
    EXPECT_EQ(GetInputError([&good] { SpeedGuard::Read(good.GetPath()); }), "");
    const std::string bad[] = {
        "",
        "[]",
        "{" + counts + R"(, "ratio": 0.4, "date": 1, "machine": "a", "compiler": "b"})",
        "{" + counts + ", " + origin + "}",
        "{" + counts + R"(, "ratio": "0.4", )" + origin + "}",
        "{" + counts + R"(, "ratio": 0, )" + origin + "}",
        R"({"ratio": 0.4, )" + origin + "}",
        "{" + flow + ", " + hardware + R"(, "per_hop": 800)" + end,
        "{" + flow + ", " + hardware + R"(, "per_hop": {"instructions": 8})" + end,
        "{" + hop + ", " + hardware + end,
        "{" + hop + ", " + hardware + R"(, "per_flow": {"instructions": 0})" + end,
        "{" + hop + ", " + flow + end,
        "{" + hop + ", " + flow + R"(, "per_hop_hardware_on": {"srnic_instructions": 9})" + end,
    };
    for (const std::string& text : bad)
    {
        const TemporaryFile file(text);
        EXPECT_EQ(GetInputError([&file] { SpeedGuard::Read(file.GetPath()); }),
                  file.GetPath() +
                      R"(: expected {"per_hop": {"instructions", "l1_misses", "l2_misses", )"
                      R"("mispredictions"}, "per_flow": {"instructions"}, )"
                      R"("per_hop_hardware_on": {"srnic_instructions", )"
                      R"("connectx6_instructions"}, "ratio": all numbers above 0, "date", )"
                      R"("machine", "compiler": text})")
            << text;
    }
    EXPECT_EQ(GetInputError([] { SpeedGuard::Read("/nowhere/guard.json"); }),
              "/nowhere/guard.json: cannot be read");
}

} // namespace
