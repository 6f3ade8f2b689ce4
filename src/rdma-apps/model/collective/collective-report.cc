// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/collective-report.h"

#include "ns3/number-text.h"
#include "ns3/percentile.h"
#include "ns3/quantity.h"
#include "ns3/record-table.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <tuple>

namespace ns3::rdma
{

namespace
{

constexpr double BITS_PER_BYTE{8};
constexpr double PS_PER_NS{1000};
constexpr double PS_PER_US{1e6};
constexpr uint64_t MEDIAN{500};
constexpr uint64_t P99{990};
constexpr uint64_t MAXIMUM{1000};

/// @return Gb/s, which are bits per nanosecond.
double
GetGbps(uint64_t bytes, Tick time)
{
    return BITS_PER_BYTE * static_cast<double>(bytes) / (static_cast<double>(time) / PS_PER_NS);
}

Tick
GetTime(const IterationRecord& record)
{
    return record.end - record.firstBegin;
}

bool
HasEnded(const CollectivePlan& plan, const IterationRecord& record)
{
    return record.ranksDone == plan.communicators.front().size();
}

/// An iteration that has ended.
struct CollectiveRow : IterationRecord
{
    uint64_t communicator;
    uint64_t iteration;
    Tick time;
    Tick bound; ///< As CommunicatorResult::bound.
    uint32_t slowestServer;
};

double
GetAlgorithmBandwidth(const CollectiveRow& row, const CollectivePlan& plan)
{
    return GetGbps(plan.bytes, row.time);
}

/// @return its time over that in the empty network.
std::optional<double>
GetSlowdown(const CollectiveRow& row)
{
    return row.bound > 0 ? std::optional(static_cast<double>(row.time) / row.bound) : std::nullopt;
}

const RecordTable<CollectiveRow, CollectivePlan> COLLECTIVE_TABLE{
    "collectives.csv",
    {{"communicator", "", "number, from 0", &CollectiveRow::communicator},
     {"iteration",
      "",
      "number, from 0; the first ones may be a warm-up",
      &CollectiveRow::iteration},
     {"start_ns",
      "ns",
      "when the first rank began",
      [](const CollectiveRow& row) { return PaddedNsCell{row.firstBegin}; }},
     {"time_ns",
      "ns",
      "until the last rank was done",
      [](const CollectiveRow& row) { return PaddedNsCell{row.time}; }},
     {"last_start_ns",
      "ns",
      "when the last rank began",
      [](const CollectiveRow& row) { return PaddedNsCell{row.lastBegin}; }},
     {"algbw_gbps", "Gb/s", "size of the full buffer over the time", GetAlgorithmBandwidth},
     {"busbw_gbps",
      "Gb/s",
      "the same as bandwidth of a link (nccl-tests)",
      [](const CollectiveRow& row, const CollectivePlan& plan) {
          return GetAlgorithmBandwidth(row, plan) * plan.busFactor;
      }},
     {"slowdown", "", "time over that in the empty network", GetSlowdown},
     {"slowest_rank", "", "the rank that was done last", &CollectiveRow::slowest},
     {"slowest_server", "", "its node id", &CollectiveRow::slowestServer},
     {"waited_for_rank",
      "",
      "sender of the last message to it; -1: none arrived while it waited",
      [](const CollectiveRow& row) {
          return row.awaited == UINT32_MAX ? std::string("-1") : std::to_string(row.awaited);
      }}}};

std::vector<CollectiveRow>
ListRows(const CollectivePlan& plan, const CollectiveReport& report)
{
    std::vector<CollectiveRow> rows;
    for (std::size_t number = 0; number < report.communicators.size(); ++number)
    {
        const CommunicatorResult& one = report.communicators[number];
        for (std::size_t iteration = 0; iteration < one.iterations.size(); ++iteration)
        {
            const IterationRecord& record = one.iterations[iteration];
            if (HasEnded(plan, record))
            {
                rows.push_back({record,
                                number,
                                iteration,
                                GetTime(record),
                                one.bound,
                                plan.communicators[number][record.slowest].server});
            }
        }
    }
    return rows;
}

/// @return times of the iterations that have ended, without those of the warm-up.
std::vector<Tick>
ListTimes(const CollectivePlan& plan, const CollectiveReport& report)
{
    std::vector<Tick> times;
    for (const CommunicatorResult& one : report.communicators)
    {
        for (std::size_t iteration = plan.warmup; iteration < one.iterations.size(); ++iteration)
        {
            if (HasEnded(plan, one.iterations[iteration]))
            {
                times.push_back(GetTime(one.iterations[iteration]));
            }
        }
    }
    return times;
}

/// @return mean time from the end of an iteration to that of the next one; of the first iteration,
/// from its begin. 0: none has ended.
Tick
FindPeriod(const CollectivePlan& plan, const CollectiveReport& report)
{
    Tick sum = 0;
    Tick count = 0;
    for (const CommunicatorResult& one : report.communicators)
    {
        Tick begin = plan.warmup > 0 ? one.iterations[plan.warmup - 1].end
                                     : one.iterations.front().firstBegin;
        for (std::size_t iteration = plan.warmup; iteration < one.iterations.size(); ++iteration)
        {
            const IterationRecord& record = one.iterations[iteration];
            if (HasEnded(plan, record))
            {
                sum += record.end - begin;
                begin = record.end;
                ++count;
            }
        }
    }
    return count > 0 ? sum / count : 0;
}

/// @return Gb/s of all payload that was delivered, from the first begin of an iteration to the last
/// end; 0: no iteration has ended.
double
GetGoodput(const CollectivePlan& plan, const CollectiveReport& report)
{
    Tick begin = TICK_NEVER;
    Tick end = 0;
    for (const CommunicatorResult& one : report.communicators)
    {
        for (const IterationRecord& record : one.iterations)
        {
            if (HasEnded(plan, record))
            {
                begin = std::min(begin, record.firstBegin);
                end = std::max(end, record.end);
            }
        }
    }
    return end > begin ? GetGbps(report.stats.ackedBytes, end - begin) : 0;
}

/// @return the longest bound of all communicators.
Tick
FindBound(const CollectiveReport& report)
{
    Tick bound = 0;
    for (const CommunicatorResult& one : report.communicators)
    {
        bound = std::max(bound, one.bound);
    }
    return bound;
}

nlohmann::ordered_json
Summarize(const CollectivePlan& plan, const CollectiveReport& report)
{
    std::vector<Tick> times = ListTimes(plan, report);
    const std::size_t planned =
        plan.communicators.size() * std::size_t{plan.iterations - plan.warmup};
    nlohmann::ordered_json json{{"operation", plan.operation},
                                {"algorithm", plan.algorithm},
                                {"bytes", plan.bytes},
                                {"communicators", plan.communicators.size()},
                                {"ranks", plan.communicators.front().size()},
                                {"iterations", planned},
                                {"completed", times.size()}};
    if (!plan.protocol.empty())
    {
        json["protocol"] = plan.protocol;
    }
    if (!times.empty())
    {
        double sum = 0;
        for (const Tick time : times)
        {
            sum += static_cast<double>(time);
        }
        const auto mean = static_cast<Tick>(std::llround(sum / static_cast<double>(times.size())));
        const double algorithm = GetGbps(plan.bytes, mean);
        const Tick bound = FindBound(report);
        const auto toUs = [](Tick time) { return static_cast<double>(time) / PS_PER_US; };
        json["time_us"] = {{"mean", toUs(mean)},
                           {"p50", toUs(TakePercentile(times, MEDIAN))},
                           {"p99", toUs(TakePercentile(times, P99))},
                           {"max", toUs(TakePercentile(times, MAXIMUM))}};
        json["period_us"] = toUs(FindPeriod(plan, report));
        json["algbw_gbps"] = algorithm;
        json["busbw_gbps"] = algorithm * plan.busFactor;
        if (bound > 0)
        {
            json["empty_network_us"] = toUs(bound);
            json["slowdown"] = static_cast<double>(mean) / static_cast<double>(bound);
        }
    }
    json["goodput_gbps"] = GetGoodput(plan, report);
    json["packets"] = report.stats.packets;
    json["retransmitted"] = report.stats.retransmitted;
    json["timeouts"] = report.stats.timeouts;
    if (plan.renewal)
    {
        json["renewals"] = WriteCounts(report.renewals);
    }
    return json;
}

/// @return how far a communicator has come that has not ended.
std::string
DescribeRest(const CollectivePlan& plan, std::size_t number, const CommunicatorResult& one)
{
    uint64_t messages = 0;
    for (const CollectiveStage& stage : plan.stages)
    {
        for (const CollectiveGroup& group : stage)
        {
            messages += group.graph->GetCount();
        }
    }
    std::string text = plan.operation + ", communicator " + std::to_string(number) + ": " +
                       std::to_string(one.counts.posted) + " of " +
                       std::to_string(messages * plan.iterations) + " messages posted, " +
                       std::to_string(one.counts.arrived) + " arrived";
    if (one.counts.failed > 0)
    {
        text += ", " + std::to_string(one.counts.failed) + " failed";
    }
    text += "; rank " + std::to_string(one.last->rank) + " on server " +
            std::to_string(plan.communicators[number][one.last->rank].server) +
            " is in iteration " + std::to_string(one.last->turn / plan.stages.size());
    if (one.last->awaited != UINT32_MAX)
    {
        text += " and waits for rank " + std::to_string(one.last->awaited) + " on server " +
                std::to_string(plan.communicators[number][one.last->awaited].server);
    }
    return text;
}

/// @return the one that is behind; of two, the lower rank.
std::optional<WaitingRank>
FindLater(const std::optional<WaitingRank>& left, const std::optional<WaitingRank>& right)
{
    if (!left || !right)
    {
        return left ? left : right;
    }
    return std::tie(left->turn, left->rank) <= std::tie(right->turn, right->rank) ? left : right;
}

} // namespace

void
CommunicatorResult::Add(const CommunicatorResult& other)
{
    for (std::size_t iteration = 0; iteration < iterations.size(); ++iteration)
    {
        iterations[iteration].Add(other.iterations[iteration]);
    }
    counts.posted += other.counts.posted;
    counts.arrived += other.counts.arrived;
    counts.ended += other.counts.ended;
    counts.failed += other.counts.failed;
    last = FindLater(last, other.last);
}

void
CollectiveReport::Add(const CollectiveReport& other)
{
    for (std::size_t number = 0; number < communicators.size(); ++number)
    {
        communicators[number].Add(other.communicators[number]);
    }
    stats.Add(other.stats);
    renewals.Add(other.renewals);
}

ResultPart
MakeCollectivePart(const CollectivePlan& plan, CollectiveReport report, bool isPartial)
{
    ResultPart part;
    part.name = "collective";
    part.summary = Summarize(plan, report);
    const std::size_t ended = ListTimes(plan, report).size();
    part.line = plan.operation + " (" + plan.algorithm + "), " + FormatBytes(plan.bytes) + ": " +
                std::to_string(ended) + " iterations";
    if (ended > 0)
    {
        part.line += ", mean " + FormatNumber(part.summary["time_us"]["mean"].get<double>()) +
                     " us, " + FormatNumber(part.summary["busbw_gbps"].get<double>()) +
                     " Gb/s bus bandwidth";
    }
    for (std::size_t number = 0; number < report.communicators.size() && !isPartial; ++number)
    {
        if (report.communicators[number].last)
        {
            part.troubles.push_back(DescribeRest(plan, number, report.communicators[number]));
        }
    }
    part.tables = {COLLECTIVE_TABLE.MakeResult(
        std::make_shared<const std::vector<CollectiveRow>>(ListRows(plan, report)),
        std::make_shared<const CollectivePlan>(plan))};
    part.details = std::make_shared<const CollectiveReport>(std::move(report));
    return part;
}

} // namespace ns3::rdma
