// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/progress-line.h"

#include <algorithm>
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

} // namespace

std::string
FormatTimeLeft(const std::vector<JobState>& jobs, double elapsedSeconds)
{
    constexpr double LEAST_SHARE{0.01};
    constexpr int SECONDS_PER_MINUTE{60};
    double done = 0;
    for (const JobState& job : jobs)
    {
        done += GetShare(job);
    }
    if (done < LEAST_SHARE)
    {
        return {};
    }
    const double open = static_cast<double>(jobs.size()) - done;
    const auto left = static_cast<int>(elapsedSeconds * open / done);
    char text[40];
    std::snprintf(text,
                  sizeof text,
                  ", %d:%02d left",
                  left / SECONDS_PER_MINUTE,
                  left % SECONDS_PER_MINUTE);
    return text;
}

std::string
FormatDoneJobs(const std::vector<JobState>& jobs, double elapsedSeconds)
{
    const auto ended = std::count_if(jobs.begin(), jobs.end(), [](const JobState& job) {
        return job.phase == JobState::Phase::ENDED;
    });
    return std::to_string(ended) + " of " + std::to_string(jobs.size()) + " done" +
           FormatTimeLeft(jobs, elapsedSeconds);
}

std::string
FormatProgress(const std::vector<JobState>& jobs, double elapsedSeconds, size_t width)
{
    // What matters most comes first: a narrow terminal cuts the rest.
    std::string line = FormatDoneJobs(jobs, elapsedSeconds);
    for (const JobState& job : jobs)
    {
        if (job.phase == JobState::Phase::RUNNING)
        {
            line += " | " + FormatJob(job);
        }
    }
    return line.substr(0, width);
}

} // namespace ns3::rdma
