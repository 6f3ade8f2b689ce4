// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/run-supervisor.h"

#include <algorithm>
#include <csignal>
#include <gtest/gtest.h>
#include <thread>
#include <unistd.h>
#include <utility>

using namespace ns3::rdma;

namespace
{

using Phase = JobState::Phase;

constexpr auto IGNORE_PROGRESS = [](const std::vector<JobState>&) {};
constexpr auto IGNORE_END = [](const JobState&) {};

/// Waits to be stopped.
int
WaitForStop(JobChannel& channel)
{
    while (!channel.ShouldStop())
    {
        channel.SendProgress({1, 2, 3, 4});
        usleep(10'000);
    }
    channel.SendLine(JobLine::Kind::RESULT, "kept");
    return 130;
}

/// Does not end by itself, whatever signal is handled.
int
WaitForEver()
{
    while (true)
    {
        pause();
    }
}

/// A pipe between jobs, or between them and their supervisor; its ends close with the object.
class Pipe
{
  public:
    Pipe()
    {
        EXPECT_EQ(pipe(m_ends), 0);
    }

    ~Pipe()
    {
        close(m_ends[0]);
        close(m_ends[1]);
    }

    void Write()
    {
        EXPECT_EQ(write(m_ends[1], "x", 1), 1);
    }

    /// @return whether there was a byte, for which this waits until all writers are gone.
    bool Read()
    {
        char byte;
        return read(m_ends[0], &byte, 1) == 1;
    }

    /// Lets this process write no more.
    void CloseWriter()
    {
        close(std::exchange(m_ends[1], -1));
    }

  private:
    int m_ends[2]{-1, -1};
};

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
    // A job ends when it has been seen beside another one, or when all have begun.
    Pipe seen;
    const auto body = [&seen](JobChannel&) { return seen.Read() ? 0 : 1; };
    RunSupervisor supervisor({{"a", body}, {"b", body}, {"c", body}}, 2);
    long most = 0;
    supervisor.Run(
        [&](const std::vector<JobState>& jobs) {
            const auto running = std::count_if(jobs.begin(), jobs.end(), [](const JobState& job) {
                return job.phase == Phase::RUNNING;
            });
            most = std::max<long>(most, running);
            if (running == 2 || jobs[2].phase != Phase::WAITING)
            {
                seen.Write();
            }
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
                                   return WaitForEver();
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
    // The second job ends behind the first one, long before all are killed.
    Pipe building;
    RunSupervisor supervisor({{"building", [](JobChannel&) { return WaitForEver(); }},
                              {"running",
                               [&building](JobChannel& channel) {
                                   building.CloseWriter();
                                   const int status = WaitForStop(channel);
                                   return building.Read() ? 1 : status;
                               }}},
                             2);
    bool isSent = false;
    const auto states = supervisor.Run(
        [&](const std::vector<JobState>& jobs) {
            if (!isSent && jobs[1].progress.flowsDone > 0)
            {
                building.CloseWriter();
                isSent = raise(SIGTERM) == 0;
            }
        },
        IGNORE_END);
    EXPECT_EQ(states[0].signal, SIGKILL);
    EXPECT_EQ(states[1].exitStatus, 130);
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
