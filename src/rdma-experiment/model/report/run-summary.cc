// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/run-summary.h"

#include "ns3/percentile.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <stdexcept>

namespace ns3::rdma
{

SampleStatistics
GetStatistics(const std::vector<double>& sample)
{
    if (sample.empty())
    {
        return {};
    }
    SampleStatistics statistics;
    const double sum = std::accumulate(sample.begin(), sample.end(), 0.0);
    statistics.mean = sum / static_cast<double>(sample.size());
    std::vector<double> copy = sample;
    statistics.p50 = TakePercentile(copy, 500);
    statistics.p99 = TakePercentile(copy, 990);
    return statistics;
}

namespace
{

using Json = nlohmann::ordered_json;

constexpr double PS_PER_US{1e6};

/// In multiples of unit; division keeps decimals short. Null if there is no sample: a zero would be
/// mistaken for a result.
Json
WriteStatistics(const std::vector<double>& sample, double unit)
{
    if (sample.empty())
    {
        return {{"mean", nullptr}, {"p50", nullptr}, {"p99", nullptr}};
    }
    const SampleStatistics statistics = GetStatistics(sample);
    return {{"mean", statistics.mean / unit},
            {"p50", statistics.p50 / unit},
            {"p99", statistics.p99 / unit}};
}

/// @return the classes that have counts, by number.
Json
WriteClasses(const std::vector<ClassTotals>& classes)
{
    constexpr double PS_PER_MILLISECOND{1e9};
    Json json = Json::object();
    for (std::size_t number = 0; number < classes.size(); ++number)
    {
        const ClassTotals& one = classes[number];
        if (one.sentBytes + one.fabricDrops + one.nicDiscards + one.pausedPs > 0)
        {
            json[std::to_string(number)] = {
                {"sent_bytes", one.sentBytes},
                {"marks", one.marks},
                {"fabric_drops", one.fabricDrops},
                {"nic_discards", one.nicDiscards},
                {"paused_ms", static_cast<double>(one.pausedPs) / PS_PER_MILLISECOND}};
        }
    }
    return json;
}

/// The work of each rank; for a single rank only the count.
Json
WriteRanks(const std::vector<RankReport>& ranks)
{
    Json json{{"count", std::max<size_t>(ranks.size(), 1)}};
    if (ranks.size() <= 1)
    {
        return json;
    }
    const auto list = [&ranks](auto RankReport::*value) {
        Json values = Json::array();
        for (const RankReport& rank : ranks)
        {
            values.push_back(rank.*value);
        }
        return values;
    };
    json["windows"] = ranks.front().windows;
    json["sent_bytes"] =
        std::accumulate(ranks.begin(),
                        ranks.end(),
                        uint64_t{0},
                        [](uint64_t sum, const RankReport& rank) { return sum + rank.sentBytes; });
    json["events"] = list(&RankReport::events);
    json["compute_seconds"] = list(&RankReport::computeSeconds);
    json["wait_seconds"] = list(&RankReport::waitSeconds);
    json["exchange_seconds"] = list(&RankReport::exchangeSeconds);
    return json;
}

/// In multiples of unit. @param flows with fewer than two there is no interval
Json
WriteEstimate(const MeanEstimate& estimate, int64_t flows, double unit)
{
    return {{"mean", flows > 0 ? Json(estimate.mean / unit) : Json(nullptr)},
            {"ci95", flows > 1 ? Json(estimate.halfWidth / unit) : Json(nullptr)}};
}

Json
WritePrecision(const PrecisionReport& precision)
{
    return {{"target", precision.target},
            {"reached", precision.isReached},
            {"from_us", static_cast<double>(precision.fromPs) / PS_PER_US},
            {"measured_us", static_cast<double>(precision.measuredPs) / PS_PER_US},
            {"flows", precision.flows},
            {"servers", precision.servers},
            {"slowdown", WriteEstimate(precision.slowdown, precision.flows, 1)},
            {"fct_us", WriteEstimate(precision.fctPs, precision.flows, PS_PER_US)}};
}

/// A deadlock of PFC.
Json
WritePauseCycle(const std::vector<PausedPort>& cycle)
{
    Json json = Json::array();
    for (const PausedPort& one : cycle)
    {
        json.push_back(
            {{"switch", one.node}, {"port", one.port}, {"to", one.to}, {"priority", one.priority}});
    }
    return json;
}

/// The keys of flows: of all of a run, or of those of a workload.
Json
WriteFlows(uint64_t started, const FlowStatistics& flows, bool beganAsFluid)
{
    constexpr double GIGA{1e9};
    Json json;
    json["flows"] = {{"started", started},
                     {"completed", flows.GetCount(FlowStatus::COMPLETED)},
                     {"failed", flows.GetCount(FlowStatus::FAILED)},
                     {"stalled", flows.GetCount(FlowStatus::STALLED)}};
    // Only a run that ends before its flows has any: by its precision, its time limit or a signal.
    if (const uint64_t unfinished = flows.GetCount(FlowStatus::UNFINISHED))
    {
        json["flows"]["unfinished"] = unfinished;
    }
    json["fct_us"] = WriteStatistics(flows.GetCompletionTimes(), PS_PER_US);
    json["slowdown"] = WriteStatistics(flows.GetSlowdowns(), 1);
    json["goodput_gbps"] = beganAsFluid ? Json(nullptr) : Json(flows.GetGoodput() / GIGA);
    const std::optional<double> arrivals = flows.GetGoodputToLastStart();
    json["goodput_to_last_start_gbps"] =
        beganAsFluid || !arrivals ? Json(nullptr) : Json(*arrivals / GIGA);
    return json;
}

/// By priority.
Json
WriteFlowClasses(const FlowLog& log, bool beganAsFluid)
{
    Json json;
    for (const auto& [priority, flows] : log.GetByClass())
    {
        Json one = WriteFlows(0, flows, beganAsFluid);
        one["flows"].erase("started"); // Flows are counted by class when they end.
        one["retransmitted"] = flows.GetRetransmitted();
        one["timeouts"] = flows.GetTimeouts();
        json[std::to_string(priority)] = std::move(one);
    }
    return json;
}

/// Adds the part of a workload or of the hardware.
void
AddPart(const ResultPart& part, Json& json)
{
    if (json.contains(part.name))
    {
        throw std::runtime_error("summary.json: expected a key that it does not have yet, got " +
                                 part.name);
    }
    json[part.name] = part.summary;
}

/// By name of the workload.
Json
WriteWorkloads(const RunReport& report, const FlowLog& log)
{
    Json json;
    for (std::size_t i = 0; i < log.GetWorkloads().size(); ++i)
    {
        const std::string& name = log.GetWorkloads()[i];
        const FlowStatistics& flows = log.GetOf(i);
        json[name] = WriteFlows(report.flowsStartedByWorkload[i], flows, report.fluidUntilPs > 0);
        json[name]["retransmitted"] = flows.GetRetransmitted();
        json[name]["timeouts"] = flows.GetTimeouts();
        for (const ResultPart& part : report.parts)
        {
            if (part.workload == name)
            {
                AddPart(part, json[name]);
            }
        }
    }
    return json;
}
} // namespace

std::string
WriteSummary(const RunReport& report, const FlowLog& log)
{
    constexpr double PS_PER_MS{1e9};
    constexpr int INDENT{2};
    Json json{{"partial", report.isPartial}};
    json.update(WriteFlows(report.flowsStarted, log.GetAll(), report.fluidUntilPs > 0));
    if (report.fluidUntilPs > 0)
    {
        json["fluid"] = {{"until_us", static_cast<double>(report.fluidUntilPs) / PS_PER_US},
                         {"flows", log.GetAll().GetUnmeasured()}};
    }
    json["drops"] = Json::object();
    for (const auto& [reason, count] : report.drops)
    {
        json["drops"][reason] = count;
    }
    for (const RunCounter& counter : GetRunCounters())
    {
        if (!counter.isRare || report.*counter.value > 0)
        {
            json[counter.name] = report.*counter.value;
        }
    }
    if (!report.classes.empty())
    {
        json["classes"] = WriteClasses(report.classes);
    }
    json["simulated_ms"] = static_cast<double>(report.simulatedPs) / PS_PER_MS;
    json["wall_seconds"] = report.wallSeconds;
    json["packet_hops_per_second"] =
        report.wallSeconds > 0 ? static_cast<double>(report.packetHops) / report.wallSeconds : 0.0;
    json["peak_rss_bytes"] = report.peakRssBytes;
    json["ranks"] = WriteRanks(report.ranks);
    if (report.precision)
    {
        json["precision"] = WritePrecision(*report.precision);
    }
    if (!log.GetWorkloads().empty())
    {
        json["workloads"] = WriteWorkloads(report, log);
    }
    if (!log.GetByClass().empty())
    {
        json["flows_by_class"] = WriteFlowClasses(log, report.fluidUntilPs > 0);
    }
    for (const ResultPart& part : report.parts)
    {
        if (part.workload.empty())
        {
            AddPart(part, json);
        }
    }
    if (!report.pauseCycle.empty())
    {
        json["pause_cycle"] = WritePauseCycle(report.pauseCycle);
    }
    if (!report.notes.empty())
    {
        json["notes"] = report.notes;
    }
    if (!report.violations.empty())
    {
        json["violations"] = report.violations;
    }
    return json.dump(INDENT) + "\n";
}

} // namespace ns3::rdma
