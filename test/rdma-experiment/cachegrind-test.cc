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
                        "summary: 1000 2 3 400 50 6 300 70 8 200 90 10 5\n");
    EXPECT_EQ(counts.instructions, 1000);
    EXPECT_EQ(counts.l1Misses, 50 + 70);
    EXPECT_EQ(counts.l2Misses, 6 + 8);
    EXPECT_EQ(counts.mispredictions, 90 + 5);
}

TEST(Cachegrind, OutputWithoutTheCountsIsAnError)
{
    EXPECT_THROW(ParseCachegrind(""), std::runtime_error);
    // Without --cache-sim and --branch-sim.
    EXPECT_THROW(ParseCachegrind("events: Ir\nsummary: 1000\n"), std::runtime_error);
    EXPECT_THROW(ParseCachegrind("events: Ir Dr\nsummary: 1000\n"), std::runtime_error);
}

TEST(Cachegrind, AProgramThatFailsIsAnError)
{
    EXPECT_THROW(RunUnderCachegrind({"/nowhere/program"}), std::runtime_error);
}

TEST(Cachegrind, TheSameProgramCountsTheSame)
{
    const SimulatedRun one = RunUnderCachegrind({"/bin/echo", "it's", "one argument"});
    EXPECT_EQ(one.output, "it's one argument\n");
    const SimulatedRun two = RunUnderCachegrind({"/bin/echo", "it's", "one argument"});
    // echo takes some 100,000 instructions, most of them to load its library.
    EXPECT_GT(one.counts.instructions, 10'000);
    EXPECT_NEAR(static_cast<double>(one.counts.instructions),
                static_cast<double>(two.counts.instructions),
                100);
}
