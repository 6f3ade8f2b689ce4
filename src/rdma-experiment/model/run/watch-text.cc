// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/watch-text.h"

#include "ns3/progress-line.h"

#include <algorithm>
#include <cstdio>

namespace ns3::rdma
{

namespace
{

constexpr size_t MAX_NAME{20};
constexpr double MS_PER_PS{1e-9};

/// As "812 B", "10.6 kB" or "3.20 MB".
std::string
FormatBacklog(uint64_t bytes)
{
    constexpr double KILO{1e3};
    constexpr double MEGA{1e6};
    const auto value = static_cast<double>(bytes);
    char text[32];
    if (value < KILO)
    {
        return std::to_string(bytes) + " B";
    }
    const bool isSmall = value < MEGA;
    std::snprintf(text,
                  sizeof text,
                  "%.1f %s",
                  value / (isSmall ? KILO : MEGA),
                  isSmall ? "kB" : "MB");
    return text;
}

std::string
FormatFlows(const RunProgress& progress)
{
    const std::string done = std::to_string(progress.flowsDone);
    return progress.flowsTotal == 0 ? done : done + "/" + std::to_string(progress.flowsTotal);
}

/// As "64>0 10.6 MB, 65>69 5.0 kB"; "none" if nothing waits anywhere.
std::string
FormatQueues(const RunView& view)
{
    std::string text;
    for (const QueueDepth& queue : view.fullest)
    {
        if (queue.bytes > 0)
        {
            text += (text.empty() ? "" : ", ") + std::to_string(queue.node) + ">" +
                    std::to_string(queue.peer) + " " + FormatBacklog(queue.bytes);
        }
    }
    return text.empty() ? "none" : text;
}

std::string
FormatHead(size_t nameWidth)
{
    char text[160];
    std::snprintf(text,
                  sizeof text,
                  "%-*s %15s %9s %11s %13s %9s %9s %9s",
                  static_cast<int>(nameWidth),
                  "NIC",
                  "flows done",
                  "active",
                  "simulated",
                  "goodput",
                  "drops",
                  "discards",
                  "pauses");
    return text;
}

std::string
FormatRow(const JobState& job, double goodputGbps, size_t nameWidth)
{
    const RunProgress& progress = job.progress;
    char text[200];
    std::snprintf(text,
                  sizeof text,
                  "%-*s %15s %9llu %8.3f ms %8.1f Gb/s %9llu %9llu %9llu",
                  static_cast<int>(nameWidth),
                  job.name.substr(0, nameWidth).c_str(),
                  FormatFlows(progress).c_str(),
                  static_cast<unsigned long long>(progress.view.flowsActive),
                  static_cast<double>(progress.simulatedPs) * MS_PER_PS,
                  goodputGbps,
                  static_cast<unsigned long long>(progress.view.drops),
                  static_cast<unsigned long long>(progress.view.discards),
                  static_cast<unsigned long long>(progress.view.pauses));
    return text;
}

} // namespace

double
GetGoodputGbps(const RunProgress& before, const RunProgress& now)
{
    constexpr double BITS{8};
    constexpr double GBPS_PER_BIT_PER_PS{1e3};
    const int64_t time = now.simulatedPs - before.simulatedPs;
    if (time <= 0 || now.view.ackedBytes < before.view.ackedBytes)
    {
        return 0;
    }
    const auto bytes = static_cast<double>(now.view.ackedBytes - before.view.ackedBytes);
    return bytes * BITS * GBPS_PER_BIT_PER_PS / static_cast<double>(time);
}

std::vector<std::string>
FormatWatch(const std::vector<JobState>& jobs,
            const std::vector<double>& goodputs,
            double elapsedSeconds,
            size_t width,
            size_t height)
{
    size_t nameWidth = 3; // Of "NIC".
    for (const JobState& job : jobs)
    {
        nameWidth = std::max(nameWidth, std::min(job.name.size(), MAX_NAME));
    }
    std::vector<std::string> lines{FormatDoneJobs(jobs, elapsedSeconds), FormatHead(nameWidth)};
    for (size_t i = 0; i < jobs.size(); ++i)
    {
        if (jobs[i].phase == JobState::Phase::RUNNING)
        {
            lines.push_back(FormatRow(jobs[i], goodputs[i], nameWidth));
            lines.push_back("  fullest queues: " + FormatQueues(jobs[i].progress.view));
        }
    }
    lines.resize(std::min(lines.size(), std::max<size_t>(height, 1)));
    for (std::string& line : lines)
    {
        line = line.substr(0, width);
    }
    return lines;
}

std::string
FormatWatchLine(const JobState& job, double goodputGbps)
{
    const RunProgress& progress = job.progress;
    char text[200];
    std::snprintf(text,
                  sizeof text,
                  ": %.3f ms simulated, %s flows done, %llu active, goodput %.1f Gb/s, %llu drops, "
                  "%llu discards, %llu pauses, fullest queues: ",
                  static_cast<double>(progress.simulatedPs) * MS_PER_PS,
                  FormatFlows(progress).c_str(),
                  static_cast<unsigned long long>(progress.view.flowsActive),
                  goodputGbps,
                  static_cast<unsigned long long>(progress.view.drops),
                  static_cast<unsigned long long>(progress.view.discards),
                  static_cast<unsigned long long>(progress.view.pauses));
    return job.name + text + FormatQueues(progress.view) + FormatTimeLeft({job}, job.seconds);
}

} // namespace ns3::rdma
