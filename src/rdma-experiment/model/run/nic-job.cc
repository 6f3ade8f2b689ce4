// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/nic-job.h"

#include "ns3/exit-status.h"
#include "ns3/huge-pages.h"
#include "ns3/input-error.h"
#include "ns3/peak-memory.h"
#include "ns3/result-folder.h"
#include "ns3/run-summary.h"
#include "ns3/verbs-error.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>

namespace ns3::rdma
{

namespace
{

/// Runs the simulation and fills in what only its caller has.
RunReport
Simulate(const NicJob& job, const std::string& folder, FlowLog& log, JobChannel& channel)
{
    bool isStopped = false;
    const auto begin = std::chrono::steady_clock::now();
    RunReport report = job.simulate(folder, log, [&](RunProgress progress) {
        progress.flowsTotal = progress.flowsTotal > 0 ? progress.flowsTotal : job.flowsTotal;
        channel.SendProgress(progress);
        isStopped = isStopped || channel.ShouldStop();
        return !isStopped;
    });
    report.isPartial = report.isPartial || isStopped;
    report.wallSeconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    report.peakRssBytes = GetPeakRssBytes();
    for (const RankReport& rank : report.ranks)
    {
        report.peakRssBytes = std::max(report.peakRssBytes, rank.peakRssBytes);
    }
    return report;
}

/// @return the means of all flows that completed, or of those that a run measures which ends by it.
std::string
DescribeMeans(const RunReport& report, const FlowLog& log)
{
    constexpr double US{1e-6}; // Of a picosecond.
    char text[150];
    if (!report.precision)
    {
        const SampleStatistics fct = GetStatistics(log.GetAll().GetCompletionTimes());
        std::snprintf(text,
                      sizeof text,
                      "FCT mean %.1f us, P99 %.1f us, slowdown mean %.2f",
                      fct.mean * US,
                      fct.p99 * US,
                      GetStatistics(log.GetAll().GetSlowdowns()).mean);
        return text;
    }
    const PrecisionReport& precision = *report.precision;
    if (precision.flows < 2)
    {
        return "slowdown not measured";
    }
    std::snprintf(text,
                  sizeof text,
                  "%lld measured: FCT mean %.1f +- %.1f us, slowdown mean %.2f +- %.2f",
                  static_cast<long long>(precision.flows),
                  precision.fctPs.mean * US,
                  precision.fctPs.halfWidth * US,
                  precision.slowdown.mean,
                  precision.slowdown.halfWidth);
    return text;
}

/// @param flowsTotal of the workload; 0 if not known
std::string
DescribeResult(const RunReport& report, const FlowLog& log, uint64_t flowsTotal)
{
    char text[80];
    const auto completed = static_cast<unsigned long long>(log.GetCount(FlowStatus::COMPLETED));
    const auto all =
        static_cast<unsigned long long>(flowsTotal > 0 ? flowsTotal : report.flowsStarted);
    std::snprintf(text, sizeof text, "%llu of %llu flows completed", completed, all);
    const uint64_t unfinished = log.GetCount(FlowStatus::UNFINISHED);
    const std::string count =
        unfinished == 0 ? text
                        : std::string(text) + ", " + std::to_string(unfinished) + " unfinished";
    std::string traffic;
    for (const ResultPart& part : report.parts)
    {
        const std::string whose = part.workload.empty() ? "" : part.workload + ": ";
        traffic += part.line.empty() ? "" : (traffic.empty() ? "" : "; ") + whose + part.line;
    }
    if (!traffic.empty() && all == 0)
    {
        return traffic;
    }
    const std::string end = traffic.empty() ? "" : "; " + traffic;
    if (log.GetAll().GetCompletionTimes().empty())
    {
        return count + end;
    }
    // A flow that has not ended would have made the means larger.
    const bool isOfFinished = completed < all && !report.precision;
    const uint64_t left = report.precision ? 0 : log.GetAll().GetUnmeasured();
    const std::string without =
        left == 0 ? "" : ", without the " + std::to_string(left) + " that began as a fluid";
    return count + (isOfFinished ? ", of these only" : "") + without +
           ((isOfFinished ? ": " : ", ") + DescribeMeans(report, log)) + end;
}

/// @return failures other than those of flows, one line each.
std::vector<std::string>
GetTrafficTroubles(const RunReport& report)
{
    std::vector<std::string> lines;
    for (const ResultPart& part : report.parts)
    {
        const std::string whose = part.workload.empty() ? "" : part.workload + ": ";
        for (const std::string& trouble : part.troubles)
        {
            lines.push_back(whose + trouble);
        }
    }
    return lines;
}

/// @return a line about a deadlock of PFC or of credits.
std::string
DescribePauseCycle(const RunReport& report)
{
    const std::vector<PausedPort>& cycle = report.pauseCycle;
    const std::string cause = report.pfcPauses > 0 ? "PFC" : "credits";
    std::string text = "deadlock: " + std::to_string(cycle.size()) +
                       " ports pause each other in a cycle (" + cause + ", priority " +
                       std::to_string(cycle.front().priority) + "): ";
    for (const PausedPort& one : cycle)
    {
        text += "port " + std::to_string(one.port) + " of switch " + std::to_string(one.node) +
                " to switch " + std::to_string(one.to) + ", ";
    }
    return text + "and again the first";
}

/// Sends the first MAX_LISTED lines, and how many more there are.
void
SendFirst(const std::vector<std::string>& lines, JobLine::Kind kind, JobChannel& channel)
{
    const std::size_t listed = std::min<std::size_t>(lines.size(), FlowLog::MAX_LISTED);
    for (std::size_t i = 0; i < listed; ++i)
    {
        channel.SendLine(kind, lines[i]);
    }
    if (lines.size() > listed)
    {
        channel.SendLine(kind, "and " + std::to_string(lines.size() - listed) + " more");
    }
}

/// Sends what the user must see; at most MAX_LISTED lines of a kind and how many more there are.
void
SendTroubles(const RunReport& report, const FlowLog& log, JobChannel& channel)
{
    if (!report.pauseCycle.empty())
    {
        channel.SendLine(JobLine::Kind::TROUBLE, DescribePauseCycle(report));
    }
    const uint64_t troubles = log.GetCount(FlowStatus::FAILED) + log.GetCount(FlowStatus::STALLED);
    for (const std::string& line : log.GetTroubles())
    {
        channel.SendLine(JobLine::Kind::TROUBLE, line);
    }
    if (troubles > log.GetTroubles().size())
    {
        channel.SendLine(JobLine::Kind::TROUBLE,
                         "and " + std::to_string(troubles - log.GetTroubles().size()) + " more");
    }
    SendFirst(GetTrafficTroubles(report), JobLine::Kind::TROUBLE, channel);
    SendFirst(report.violations, JobLine::Kind::VIOLATION, channel);
    SendFirst(report.notes, JobLine::Kind::NOTE, channel);
}

int
GetStatus(const RunReport& report, const FlowLog& log)
{
    if (!report.violations.empty())
    {
        return EXIT_VIOLATION;
    }
    if (log.GetCount(FlowStatus::FAILED) + log.GetCount(FlowStatus::STALLED) > 0 ||
        !report.pauseCycle.empty() || !GetTrafficTroubles(report).empty())
    {
        return EXIT_STALLED;
    }
    return report.isPartial ? EXIT_INTERRUPTED : EXIT_GOOD;
}

void
WriteFiles(const NicJob& job, ResultFolder& folder, const RunReport& report, const FlowLog& log)
{
    folder.WriteFile("summary.json", WriteSummary(report, log));
    for (const ResultPart& part : report.parts)
    {
        for (const ResultTable& table : part.tables)
        {
            folder.WriteTable(table, part.workload);
        }
    }
    folder.WriteFile("scenario.json", job.scenarioText);
    folder.Commit();
}

/// Several ranks fail together or not at all. Only while an exception is handled.
void
RethrowUnlessAlone(const NicJob& job)
{
    if (job.ranks->GetCount() > 1)
    {
        throw;
    }
}

} // namespace

int
SimulateAndWrite(const NicJob& job, JobChannel& channel)
{
    const bool isFirst = job.ranks->GetRank() == 0;
    std::optional<ResultFolder> folder;
    std::ofstream flows; // Of other ranks than the first it stays closed.
    job.ranks->Try([&] {
        if (isFirst)
        {
            folder.emplace(job.folder);
            flows.open(folder->GetPath("flows.csv"), std::ios::binary);
        }
    });
    const std::string path = isFirst ? folder->GetPath("").string() : "";
    FlowLog log(flows, job.workloads);
    const RunReport report = Simulate(job, job.ranks->Share(path).front(), log, channel);
    job.ranks->Try([&] {
        if (isFirst)
        {
            flows.close();
            if (!flows)
            {
                throw std::runtime_error((job.folder / "flows.csv").string() +
                                         ": cannot be written");
            }
            WriteFiles(job, *folder, report, log);
        }
    });
    if (isFirst)
    {
        SendTroubles(report, log, channel);
        const bool isTooVague = report.precision && !report.precision->isReached;
        channel.SendLine(JobLine::Kind::RESULT,
                         DescribeResult(report, log, job.flowsTotal) +
                             (isTooVague ? " (precision not reached)" : "") +
                             (report.isPartial ? " (partial)" : ""));
    }
    return std::stoi(job.ranks->Share(std::to_string(GetStatus(report, log))).front());
}

int
RunNicJob(const NicJob& job, JobChannel& channel)
{
    UseHugePages();
    try
    {
        return SimulateAndWrite(job, channel);
    }
    catch (const RankError& error)
    {
        channel.SendLine(JobLine::Kind::FAILURE, error.what());
        return error.IsInput() ? EXIT_BAD_INPUT : EXIT_ERROR;
    }
    catch (const InputError& error)
    {
        RethrowUnlessAlone(job);
        channel.SendLine(JobLine::Kind::FAILURE, error.what());
        return EXIT_BAD_INPUT;
    }
    catch (const VerbsError& error)
    {
        RethrowUnlessAlone(job);
        channel.SendLine(JobLine::Kind::FAILURE, error.what()); // More than the NIC has room for.
        return EXIT_BAD_INPUT;
    }
    catch (const std::bad_alloc&)
    {
        RethrowUnlessAlone(job);
        channel.SendLine(JobLine::Kind::FAILURE, "out of memory");
        return EXIT_ERROR;
    }
    catch (const std::exception& error)
    {
        RethrowUnlessAlone(job);
        channel.SendLine(JobLine::Kind::FAILURE, error.what());
        return EXIT_ERROR;
    }
    catch (...)
    {
        RethrowUnlessAlone(job);
        channel.SendLine(JobLine::Kind::FAILURE,
                         "something was thrown that is no std::exception, perhaps by a plug-in");
        return EXIT_ERROR;
    }
}

} // namespace ns3::rdma
