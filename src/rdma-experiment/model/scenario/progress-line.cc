// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/progress-line.h"

#include <cstdio>

namespace ns3::rdma
{

namespace
{

/// Share of the flows that are done; 0 while their number is unknown.
double
GetShare(const JobState& job)
{
    if (job.phase == JobState::Phase::ENDED)
    {
        return 1;
    }
    const RunProgress& progress = job.progress;
    return progress.flowsTotal == 0
               ? 0
               : static_cast<double>(progress.flowsDone) / static_cast<double>(progress.flowsTotal);
}

std::string
FormatJob(const JobState& job)
{
    constexpr double PERCENT{100};
    constexpr double MS_PER_PS{1e-9};
    constexpr double MEGA{1e6};
    const auto hops = static_cast<double>(job.progress.packetHops);
    char text[120];
    std::snprintf(text,
                  sizeof text,
                  " %.0f%% %.2f ms %.1f Mhops/s",
                  GetShare(job) * PERCENT,
                  static_cast<double>(job.progress.simulatedPs) * MS_PER_PS,
                  job.seconds > 0 ? hops / job.seconds / MEGA : 0.0);
    return job.name + text;
}

/// " 1:05 left"; empty while too little is done to tell.
std::string
FormatTimeLeft(double doneJobs, double allJobs, double elapsedSeconds)
{
    constexpr double LEAST_SHARE{0.01};
    constexpr int SECONDS_PER_MINUTE{60};
    if (doneJobs < LEAST_SHARE)
    {
        return {};
    }
    const auto left = static_cast<int>(elapsedSeconds * (allJobs - doneJobs) / doneJobs);
    char text[40];
    std::snprintf(text,
                  sizeof text,
                  ", %d:%02d left",
                  left / SECONDS_PER_MINUTE,
                  left % SECONDS_PER_MINUTE);
    return text;
}

} // namespace

std::string
FormatProgress(const std::vector<JobState>& jobs, double elapsedSeconds, size_t width)
{
    std::string running;
    double done = 0;
    size_t ended = 0;
    for (const JobState& job : jobs)
    {
        done += GetShare(job);
        ended += job.phase == JobState::Phase::ENDED ? 1 : 0;
        if (job.phase == JobState::Phase::RUNNING)
        {
            running += " | " + FormatJob(job);
        }
    }
    // What matters most comes first: a narrow terminal cuts the rest.
    const std::string line =
        std::to_string(ended) + " of " + std::to_string(jobs.size()) + " done" +
        FormatTimeLeft(done, static_cast<double>(jobs.size()), elapsedSeconds) + running;
    return line.substr(0, width);
}

} // namespace ns3::rdma
