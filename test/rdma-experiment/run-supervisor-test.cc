// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/run-supervisor.h"

#include <algorithm>
#include <csignal>
#include <gtest/gtest.h>
#include <thread>
#include <unistd.h>

using namespace ns3::rdma;

namespace
{

using Phase = JobState::Phase;

constexpr auto IGNORE_PROGRESS = [](const std::vector<JobState>&) {};
constexpr auto IGNORE_END = [](const JobState&) {};

/// Waits to be stopped, for ten seconds at most.
int
WaitForStop(JobChannel& channel)
{
    for (int i = 0; i < 1000 && !channel.ShouldStop(); ++i)
    {
        channel.SendProgress({1, 2, 3, 4});
        usleep(10'000);
    }
    channel.SendLine(JobLine::Kind::RESULT, "kept");
    return channel.ShouldStop() ? 130 : 0;
}

} // namespace

TEST(RunSupervisor, CollectsWhatJobsSayAndReturn)
{
    RunSupervisor supervisor({{"a",
                               [](JobChannel& channel) {
                                   channel.SendProgress({5, 10, 20, 30});
                                   channel.SendLine(JobLine::Kind::RESULT, "fine");
                                   return 0;
                               }},
                              {"b",
                               [](JobChannel& channel) {
                                   channel.SendLine(JobLine::Kind::TROUBLE, "flow 1");
                                   channel.SendLine(JobLine::Kind::TROUBLE, "flow 2");
                                   return 3;
                               }}},
                             2);
    std::vector<std::string> ended;
    const auto states =
        supervisor.Run(IGNORE_PROGRESS, [&](const JobState& job) { ended.push_back(job.name); });
    ASSERT_EQ(states.size(), 2U);
    EXPECT_EQ(states[0].name, "a");
    EXPECT_EQ(states[0].phase, Phase::ENDED);
    EXPECT_EQ(states[0].exitStatus, 0);
    EXPECT_EQ(states[0].progress.flowsDone, 5U);
    EXPECT_EQ(states[0].GetLines(JobLine::Kind::RESULT), std::vector<std::string>{"fine"});
    EXPECT_EQ(states[1].exitStatus, 3);
    EXPECT_EQ(states[1].GetLines(JobLine::Kind::TROUBLE),
              (std::vector<std::string>{"flow 1", "flow 2"}));
    std::sort(ended.begin(), ended.end());
    EXPECT_EQ(ended, (std::vector<std::string>{"a", "b"}));
    EXPECT_FALSE(supervisor.IsInterrupted());
}

TEST(RunSupervisor, RunsNoMoreJobsAtATimeThanAllowed)
{
    const auto body = [](JobChannel&) {
        usleep(150'000);
        return 0;
    };
    RunSupervisor supervisor({{"a", body}, {"b", body}, {"c", body}}, 2);
    long most = 0;
    supervisor.Run(
        [&most](const std::vector<JobState>& jobs) {
            most = std::max<long>(most,
                                  std::count_if(jobs.begin(), jobs.end(), [](const JobState& job) {
                                      return job.phase == Phase::RUNNING;
                                  }));
        },
        IGNORE_END);
    EXPECT_EQ(most, 2);
}

TEST(RunSupervisor, KeepsJobsApart)
{
    int counter = 0;
    const auto body = [&counter](JobChannel&) { return ++counter; };
    const auto states =
        RunSupervisor({{"a", body}, {"b", body}}, 1).Run(IGNORE_PROGRESS, IGNORE_END);
    EXPECT_EQ(states[0].exitStatus, 1);
    EXPECT_EQ(states[1].exitStatus, 1);
    EXPECT_EQ(counter, 0);
}

TEST(RunSupervisor, OutlivesAJobThatDiesFromASignal)
{
    RunSupervisor supervisor({{"dies",
                               [](JobChannel& channel) {
                                   channel.SendLine(JobLine::Kind::TROUBLE, "last words");
                                   return raise(SIGKILL);
                               }},
                              {"lives", [](JobChannel&) { return 0; }}},
                             1);
    const auto states = supervisor.Run(IGNORE_PROGRESS, IGNORE_END);
    EXPECT_EQ(states[0].signal, SIGKILL);
    EXPECT_EQ(states[0].GetLines(JobLine::Kind::TROUBLE).size(), 1U);
    EXPECT_EQ(states[1].phase, Phase::ENDED);
    EXPECT_EQ(states[1].signal, 0);
}

TEST(RunSupervisor, AsksJobsToStopOnASignalAndStartsNoMore)
{
    RunSupervisor supervisor({{"a", WaitForStop}, {"b", WaitForStop}}, 1);
    bool isSent = false;
    const auto states = supervisor.Run(
        [&isSent](const std::vector<JobState>& jobs) {
            if (!isSent && jobs[0].progress.flowsDone > 0)
            {
                isSent = true;
                raise(SIGINT);
            }
        },
        IGNORE_END);
    EXPECT_TRUE(supervisor.IsInterrupted());
    EXPECT_EQ(states[0].exitStatus, 130);
    EXPECT_EQ(states[0].GetLines(JobLine::Kind::RESULT), std::vector<std::string>{"kept"});
    EXPECT_EQ(states[1].phase, Phase::WAITING);
}

TEST(RunSupervisor, KillsJobsThatIgnoreTheFirstSignal)
{
    RunSupervisor supervisor({{"deaf",
                               [](JobChannel& channel) {
                                   channel.SendProgress({1, 2, 3, 4});
                                   sleep(60);
                                   sleep(60);
                                   return 0;
                               }}},
                             1);
    const auto begin = std::chrono::steady_clock::now();
    bool isFirst = false;
    bool isSecond = false;
    const auto states = supervisor.Run(
        [&](const std::vector<JobState>&) {
            const auto passed = std::chrono::steady_clock::now() - begin;
            if (!isFirst)
            {
                isFirst = raise(SIGTERM) == 0;
            }
            else if (!isSecond && passed > 2 * RunSupervisor::ECHO_TIME)
            {
                isSecond = raise(SIGTERM) == 0;
            }
        },
        IGNORE_END);
    EXPECT_EQ(states[0].signal, SIGKILL);
}

TEST(RunSupervisor, EndsAJobSoonThatHasNothingToKeep)
{
    RunSupervisor supervisor({{"building",
                               [](JobChannel&) {
                                   sleep(60);
                                   sleep(60);
                                   return 0;
                               }},
                              {"running", WaitForStop}},
                             2);
    bool isSent = false;
    const auto begin = std::chrono::steady_clock::now();
    const auto states = supervisor.Run(
        [&isSent](const std::vector<JobState>& jobs) {
            if (!isSent && jobs[1].progress.flowsDone > 0)
            {
                isSent = raise(SIGTERM) == 0;
            }
        },
        IGNORE_END);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, RunSupervisor::STOP_TIME / 2);
    EXPECT_EQ(states[0].signal, SIGKILL);
    EXPECT_EQ(states[1].GetLines(JobLine::Kind::RESULT), std::vector<std::string>{"kept"});
}

TEST(RunSupervisor, PutsTheOldSignalHandlersBack)
{
    struct sigaction before = {};
    struct sigaction after = {};
    sigaction(SIGINT, nullptr, &before);
    RunSupervisor({{"a", [](JobChannel&) { return 0; }}}, 1).Run(IGNORE_PROGRESS, IGNORE_END);
    sigaction(SIGINT, nullptr, &after);
    EXPECT_EQ(before.sa_handler, after.sa_handler);
}
