// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/run-decider.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

WindowState
MakeState(uint64_t started, uint64_t done, uint64_t progress)
{
    WindowState state;
    state.started = started;
    state.done = done;
    state.progress = progress;
    return state;
}

} // namespace

TEST(RunDecider, EndsAtItsTime)
{
    PrecisionWatch precision(0, 0, 2, 2);
    RunDecider decider(precision, 1'000'000, 0, 100);
    EXPECT_EQ(decider.GetNextTime(), 101);
    EXPECT_FALSE(decider.Decide(MakeState(1, 0, 5), true));
    EXPECT_TRUE(decider.IsDecided());
    EXPECT_FALSE(decider.IsStalled());
    EXPECT_EQ(decider.GetEnd(), 100);
}

TEST(RunDecider, EndsWhereWorkIsUnderWayAndNothingProgresses)
{
    PrecisionWatch precision(0, 0, 2, 2);
    RunDecider decider(precision, 1000, 0, TICK_NEVER);
    bool goesOn = true;
    int looks = 0;
    for (; goesOn && looks < 10; ++looks)
    {
        goesOn = decider.Decide(MakeState(3, 2, 7), false);
    }
    // A look every quarter of the limit: the first sees progress, the stall is as long as the limit
    // four looks later.
    EXPECT_EQ(looks, 5);
    EXPECT_TRUE(decider.IsStalled());
    EXPECT_EQ(decider.GetEnd(), 1250);
}

TEST(RunDecider, ADeadlockEndsTheRunWithinTheLimitOfTheLastProgress)
{
    PrecisionWatch precision(0, 0, 2, 2);
    int asked = 0;
    RunDecider decider(precision, 1000, 0, TICK_NEVER, [&asked] {
        ++asked;
        return true;
    });
    // The first look, at 250, sees what has progressed since 0. The looks at 500 and 750 see
    // nothing; at 1000 the last progress is 750 to 1000 ago.
    for (int look = 0; look < 3; ++look)
    {
        EXPECT_TRUE(decider.Decide(MakeState(3, 2, 7), false));
        EXPECT_EQ(asked, 0);
    }
    EXPECT_FALSE(decider.Decide(MakeState(3, 2, 7), false));
    EXPECT_EQ(asked, 1);
    EXPECT_TRUE(decider.IsStalled());
    EXPECT_EQ(decider.GetEnd(), 1000);
}

TEST(RunDecider, LooksAgainUntilTheLastFramesHaveArrived)
{
    PrecisionWatch precision(0, 0, 2, 2);
    RunDecider decider(precision, 1000, 0, TICK_NEVER);
    WindowState state = MakeState(2, 2, 7);
    state.nextWork = 300;
    EXPECT_TRUE(decider.Decide(state, false));
    EXPECT_NE(decider.GetNextTime(), TICK_NEVER);
    state.nextWork = TICK_NEVER; // Pauses may go on.
    EXPECT_TRUE(decider.Decide(state, false));
    EXPECT_EQ(decider.GetNextTime(), TICK_NEVER);
    EXPECT_FALSE(decider.IsDecided());
}

TEST(RunDecider, WaitingForWhatIsToComeIsNoStall)
{
    PrecisionWatch precision(0, 0, 2, 2);
    RunDecider decider(precision, 1000, 0, TICK_NEVER);
    for (int look = 0; look < 10; ++look)
    {
        EXPECT_TRUE(decider.Decide(MakeState(2, 2, 7), true));
    }
    EXPECT_TRUE(decider.Decide(MakeState(2, 2, 7), false));
    EXPECT_EQ(decider.GetNextTime(), TICK_NEVER); // All is done: it need not look again.
}
