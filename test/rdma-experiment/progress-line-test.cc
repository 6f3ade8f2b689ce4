// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/progress-line.h"

#include <gtest/gtest.h>

using namespace ns3::rdma;

namespace
{

JobState
MakeState(const std::string& name, JobState::Phase phase, const RunProgress& progress)
{
    JobState state;
    state.name = name;
    state.phase = phase;
    state.progress = progress;
    state.seconds = 2;
    return state;
}

using Phase = JobState::Phase;

/// 40 of 100 flows, 1.5 ms simulated, 10 million hops in 2 s.
const RunProgress MIDDLE{40, 100, 1'500'000'000, 10'000'000};

} // namespace

TEST(ProgressLine, ShowsRunningJobsSideBySide)
{
    // Of three jobs 1 + 0.4 + 0.4 are done after 18 s: 1.2 more take 12 s.
    const std::vector<JobState> jobs{MakeState("connectx6", Phase::ENDED, {}),
                                     MakeState("irn", Phase::RUNNING, MIDDLE),
                                     MakeState("srnic", Phase::RUNNING, MIDDLE)};
    EXPECT_EQ(
        FormatProgress(jobs, 18, 200),
        "1 of 3 done, 0:12 left | irn 40% 1.50 ms 5.0 Mhops/s | srnic 40% 1.50 ms 5.0 Mhops/s");
}

TEST(ProgressLine, DoesNotGuessTheTimeLeftAtTheBegin)
{
    const std::vector<JobState> jobs{MakeState("irn", Phase::RUNNING, {}),
                                     MakeState("srnic", Phase::WAITING, {})};
    EXPECT_EQ(FormatProgress(jobs, 1, 200), "0 of 2 done | irn 0% 0.00 ms 0.0 Mhops/s");
}

TEST(ProgressLine, FitsTheTerminal)
{
    const std::vector<JobState> jobs{MakeState("irn", Phase::RUNNING, MIDDLE)};
    EXPECT_EQ(FormatProgress(jobs, 1, 10), "0 of 1 don");
}
