// SPDX-License-Identifier: GPL-2.0-only
#include "../bench/cachegrind.h"

#include <gtest/gtest.h>
#include <stdexcept>

using namespace ns3::rdma;

TEST(Cachegrind, CountsAreTheSumsOfReadsAndWritesAndOfBothKindsOfBranches)
{
    const auto counts =
        ParseCachegrind("desc: I1 cache: 32768 B\n"
                        "cmd: some\n"
                        "events: Ir I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw Bc Bcm Bi Bim\n"
                        "fl=???\n"
                        "12 1 1 1 1 1 1 1 1 1 1 1 1 1\n"
                        "summary: 1000 2 3 400 50 6 300 70 8 200 90 10 5\n",
                        CountedEvents::ALL);
    EXPECT_EQ(counts.instructions, 1000);
    EXPECT_EQ(counts.l1Misses, 50 + 70);
    EXPECT_EQ(counts.l2Misses, 6 + 8);
    EXPECT_EQ(counts.mispredictions, 90 + 5);
}

TEST(Cachegrind, OutputWithoutTheCountsIsAnError)
{
    EXPECT_THROW(ParseCachegrind("", CountedEvents::INSTRUCTIONS), std::runtime_error);
    // Without --cache-sim and --branch-sim.
    EXPECT_THROW(ParseCachegrind("events: Ir\nsummary: 1000\n", CountedEvents::ALL),
                 std::runtime_error);
    EXPECT_THROW(ParseCachegrind("events: Ir Dr\nsummary: 1000\n", CountedEvents::INSTRUCTIONS),
                 std::runtime_error);
}

TEST(Cachegrind, InstructionsAloneNeedNoOtherCounts)
{
    const auto counts = ParseCachegrind("events: Ir\nsummary: 1000\n", CountedEvents::INSTRUCTIONS);
    EXPECT_EQ(counts.instructions, 1000);
    EXPECT_EQ(counts.l1Misses, 0);
}

TEST(Cachegrind, AProgramThatFailsIsAnError)
{
    EXPECT_THROW(RunUnderCachegrind({{"/nowhere/program"}}), std::runtime_error);
}

TEST(Cachegrind, TheSameProgramCountsTheSame)
{
    const SimulatedRun one = RunUnderCachegrind({{"/bin/echo", "it's", "one argument"}});
    EXPECT_EQ(one.output, "it's one argument\n");
    const SimulatedRun two = RunUnderCachegrind({{"/bin/echo", "it's", "one argument"}});
    // echo takes some 100,000 instructions, most of them to load its library.
    EXPECT_GT(one.counts.instructions, 10'000);
    EXPECT_NEAR(static_cast<double>(one.counts.instructions),
                static_cast<double>(two.counts.instructions),
                100);
}

TEST(Cachegrind, ProgramsAtTheSameTimeKeepTheirOrder)
{
    const CountedProgram first{{"/bin/echo", "first"}, CountedEvents::INSTRUCTIONS};
    const CountedProgram second{{"/bin/echo", "second"}, CountedEvents::ALL};
    const std::vector<SimulatedRun> runs = RunAllUnderCachegrind({first, second, first});
    ASSERT_EQ(runs.size(), 3);
    EXPECT_EQ(runs[0].output, "first\n");
    EXPECT_EQ(runs[1].output, "second\n");
    EXPECT_EQ(runs[2].output, "first\n");
    EXPECT_EQ(runs[0].counts.l1Misses, 0);
    EXPECT_GT(runs[1].counts.l1Misses, 0);
}

TEST(Cachegrind, OneProgramOfSeveralThatFailsIsAnError)
{
    const CountedProgram good{{"/bin/echo"}, CountedEvents::INSTRUCTIONS};
    const CountedProgram bad{{"/nowhere/program"}, CountedEvents::INSTRUCTIONS};
    EXPECT_THROW(RunAllUnderCachegrind({good, bad, good}), std::runtime_error);
}
