// SPDX-License-Identifier: GPL-2.0-only

#include "run-outcome.h"

#include "one-line.h"

#include "ns3/exit-status.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <iostream>

namespace ns3::rdma
{

namespace
{
using Kind = JobLine::Kind;
using Phase = JobState::Phase;
} // namespace

void
ReportTroubles(const JobState& job, bool isInterrupted)
{
    const std::string begin = "rocelab: " + job.name + ": ";
    if (job.signal != 0)
    {
        std::cerr << begin
                  << (isInterrupted && job.signal == SIGKILL
                          ? std::string("stopped at once")
                          : "the process died from signal " + std::to_string(job.signal) + " (" +
                                strsignal(job.signal) + ")")
                  << ", no results\n";
    }
    for (const Kind kind : {Kind::FAILURE, Kind::VIOLATION, Kind::TROUBLE, Kind::NOTE})
    {
        for (const std::string& line : job.GetLines(kind))
        {
            std::cerr << begin << MakeOneLine(line) << '\n';
        }
    }
}

void
ReportInterruption(const std::vector<JobState>& jobs)
{
    std::string line = "rocelab: interrupted";
    for (const JobState& job : jobs)
    {
        const auto results = job.GetLines(Kind::RESULT);
        const std::string state = job.phase == Phase::WAITING ? "not run"
                                  : results.empty()           ? "no results"
                                                              : results.front();
        line += "; " + job.name + ": " + state;
    }
    std::cerr << line << '\n';
}

int
CombineStatus(const std::vector<JobState>& jobs, bool isInterrupted)
{
    const auto has = [&jobs](int status) {
        return std::any_of(jobs.begin(), jobs.end(), [status](const JobState& job) {
            return job.phase == Phase::ENDED && job.signal == 0 && job.exitStatus == status;
        });
    };
    const bool isKilled =
        std::any_of(jobs.begin(), jobs.end(), [](const JobState& job) { return job.signal != 0; });
    if (isInterrupted)
    {
        return EXIT_INTERRUPTED;
    }
    if (isKilled || has(EXIT_ERROR))
    {
        return EXIT_ERROR;
    }
    for (const int status : {EXIT_BAD_INPUT, EXIT_VIOLATION, EXIT_STALLED, EXIT_INTERRUPTED})
    {
        if (has(status))
        {
            return status;
        }
    }
    return EXIT_GOOD;
}

} // namespace ns3::rdma
