// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/sequence-report.h"

#include "ns3/number-text.h"
#include "ns3/percentile.h"
#include "ns3/record-table.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace ns3::rdma
{

namespace
{

constexpr double PS_PER_NS{1000};
constexpr double PS_PER_US{1e6};
constexpr uint64_t MEDIAN{500};
constexpr uint64_t P99{990};
constexpr uint64_t MAXIMUM{1000};

/// A phase of an iteration that has ended.
struct SequenceRow : IterationRecord
{
    uint64_t iteration;
    uint64_t phase;
    std::string name;
    std::string kind;
    uint32_t slowestServer;
    std::optional<double> barrierNs;
};

const RecordTable<SequenceRow> SEQUENCE_TABLE{
    "sequence.csv",
    {{"iteration", "", "number, from 0; the first ones may be a warm-up", &SequenceRow::iteration},
     {"phase", "", "number in the list of phases, from 0", &SequenceRow::phase},
     {"name", "", "name of the phase", &SequenceRow::name},
     {"kind", "", "collective, flows or compute", &SequenceRow::kind},
     {"start_ns",
      "ns",
      "when the first rank began",
      [](const SequenceRow& row) { return PaddedNsCell{row.firstBegin}; }},
     {"last_start_ns",
      "ns",
      "when the last rank began",
      [](const SequenceRow& row) { return PaddedNsCell{row.lastBegin}; }},
     {"end_ns",
      "ns",
      "when the last rank was done",
      [](const SequenceRow& row) { return PaddedNsCell{row.end}; }},
     {"time_ns",
      "ns",
      "from the first begin to the last end",
      [](const SequenceRow& row) { return PaddedNsCell{row.end - row.firstBegin}; }},
     {"barrier_ns",
      "ns",
      "from then until the last rank has left the barrier; empty: there is none",
      &SequenceRow::barrierNs},
     {"slowest_rank", "", "the rank that was done last", &SequenceRow::slowest},
     {"slowest_server", "", "its node id", &SequenceRow::slowestServer}}};

bool
HasEnded(const CollectivePlan& plan, const IterationRecord& record)
{
    return record.ranksDone == plan.communicators.front().size();
}

/// The records of the one communicator.
class StepRecords
{
  public:
    StepRecords(const CollectivePlan& plan, const CollectiveReport& report)
        : m_plan(plan),
          m_records(report.communicators.front().iterations)
    {
    }

    const IterationRecord& Get(uint32_t iteration, uint32_t step) const
    {
        return m_records[uint64_t{iteration} * m_plan.steps.size() + step];
    }

    bool HasEnded(uint32_t iteration, uint32_t step) const
    {
        return rdma::HasEnded(m_plan, Get(iteration, step));
    }

    uint32_t GetLastStep() const
    {
        return static_cast<uint32_t>(m_plan.steps.size()) - 1;
    }

  private:
    const CollectivePlan& m_plan;
    const std::vector<IterationRecord>& m_records;
};

std::vector<SequenceRow>
ListRows(const CollectivePlan& plan,
         const std::vector<SequencePhase>& phases,
         const StepRecords& records)
{
    std::vector<SequenceRow> rows;
    for (uint32_t iteration = 0; iteration < plan.iterations; ++iteration)
    {
        for (std::size_t number = 0; number < phases.size(); ++number)
        {
            const SequencePhase& phase = phases[number];
            if (!records.HasEnded(iteration, phase.step))
            {
                continue;
            }
            const IterationRecord& record = records.Get(iteration, phase.step);
            SequenceRow row{record,
                            iteration,
                            number,
                            phase.name,
                            phase.kind,
                            plan.communicators.front()[record.slowest].server,
                            std::nullopt};
            if (phase.barrier && records.HasEnded(iteration, *phase.barrier))
            {
                const Tick time = records.Get(iteration, *phase.barrier).end - record.end;
                row.barrierNs = static_cast<double>(time) / PS_PER_NS;
            }
            rows.push_back(std::move(row));
        }
    }
    return rows;
}

/// @return times from the first begin of iterations that have ended to their last end.
std::vector<Tick>
ListTimes(const CollectivePlan& plan, const StepRecords& records)
{
    std::vector<Tick> times;
    for (uint32_t iteration = plan.warmup; iteration < plan.iterations; ++iteration)
    {
        if (records.HasEnded(iteration, records.GetLastStep()))
        {
            Tick end = 0; // A phase that some ranks do not take part in may end after the last one.
            for (uint32_t step = 0; step <= records.GetLastStep(); ++step)
            {
                end = std::max(end, records.Get(iteration, step).end);
            }
            times.push_back(end - records.Get(iteration, 0).firstBegin);
        }
    }
    return times;
}

double
GetMeanUs(const std::vector<Tick>& times)
{
    double sum = 0;
    for (const Tick time : times)
    {
        sum += static_cast<double>(time);
    }
    return sum / static_cast<double>(times.size()) / PS_PER_US;
}

nlohmann::ordered_json
SummarizePhases(const CollectivePlan& plan,
                const std::vector<SequencePhase>& phases,
                const StepRecords& records)
{
    auto json = nlohmann::ordered_json::array();
    for (const SequencePhase& phase : phases)
    {
        std::vector<Tick> times;
        std::vector<Tick> barriers;
        for (uint32_t iteration = plan.warmup; iteration < plan.iterations; ++iteration)
        {
            const IterationRecord& record = records.Get(iteration, phase.step);
            if (records.HasEnded(iteration, phase.step))
            {
                times.push_back(record.end - record.firstBegin);
            }
            if (phase.barrier && records.HasEnded(iteration, *phase.barrier))
            {
                barriers.push_back(records.Get(iteration, *phase.barrier).end - record.end);
            }
        }
        nlohmann::ordered_json one{{"name", phase.name}, {"kind", phase.kind}};
        if (!times.empty())
        {
            one["mean_us"] = GetMeanUs(times);
        }
        if (!barriers.empty())
        {
            one["barrier_us"] = GetMeanUs(barriers);
        }
        json.push_back(std::move(one));
    }
    return json;
}

nlohmann::ordered_json
Summarize(const CollectivePlan& plan,
          const std::vector<SequencePhase>& phases,
          const CollectiveReport& report)
{
    const StepRecords records(plan, report);
    std::vector<Tick> times = ListTimes(plan, records);
    nlohmann::ordered_json json{{"ranks", plan.communicators.front().size()},
                                {"iterations", plan.iterations - plan.warmup},
                                {"completed", times.size()}};
    if (!times.empty())
    {
        const auto toUs = [](Tick time) { return static_cast<double>(time) / PS_PER_US; };
        const double mean = GetMeanUs(times);
        json["time_us"] = {{"mean", mean},
                           {"p50", toUs(TakePercentile(times, MEDIAN))},
                           {"p99", toUs(TakePercentile(times, P99))},
                           {"max", toUs(TakePercentile(times, MAXIMUM))}};
    }
    json["phases"] = SummarizePhases(plan, phases, records);
    json["packets"] = report.stats.packets;
    json["retransmitted"] = report.stats.retransmitted;
    json["timeouts"] = report.stats.timeouts;
    return json;
}

/// @return how far a sequence has come that has not ended.
std::string
DescribeRest(const CollectivePlan& plan,
             const std::vector<SequencePhase>& phases,
             const CommunicatorResult& one)
{
    const uint64_t stage = one.last->turn % plan.stages.size();
    const auto isAfter = [&plan, stage](const SequencePhase& phase) {
        return plan.steps[phase.step] > stage;
    };
    const auto next = std::find_if(phases.begin(), phases.end(), isAfter);
    const SequencePhase& phase = *std::prev(next); // The first phase begins with the first stage.
    const bool isBarrier = phase.barrier && plan.steps[*phase.barrier] <= stage;
    std::string text = "sequence: rank " + std::to_string(one.last->rank) + " on server " +
                       std::to_string(plan.communicators.front()[one.last->rank].server) +
                       " is in iteration " + std::to_string(one.last->turn / plan.stages.size()) +
                       (isBarrier ? ", at the barrier behind phase \"" : ", phase \"") +
                       phase.name + '"';
    if (one.counts.failed > 0)
    {
        text += "; " + std::to_string(one.counts.failed) + " messages failed";
    }
    if (one.last->awaited != UINT32_MAX)
    {
        text += " and waits for rank " + std::to_string(one.last->awaited) + " on server " +
                std::to_string(plan.communicators.front()[one.last->awaited].server);
    }
    return text;
}

} // namespace

ResultPart
MakeSequencePart(const CollectivePlan& plan,
                 const std::vector<SequencePhase>& phases,
                 CollectiveReport report,
                 bool isPartial)
{
    ResultPart part;
    part.name = "sequence";
    part.summary = Summarize(plan, phases, report);
    part.line = "sequence of " + std::to_string(phases.size()) +
                (phases.size() == 1 ? " phase: " : " phases: ") +
                std::to_string(part.summary["completed"].get<std::size_t>()) + " iterations";
    if (part.summary.contains("time_us"))
    {
        part.line +=
            ", mean " + FormatNumber(part.summary["time_us"]["mean"].get<double>()) + " us";
    }
    if (report.communicators.front().last && !isPartial)
    {
        part.troubles.push_back(DescribeRest(plan, phases, report.communicators.front()));
    }
    part.tables = {SEQUENCE_TABLE.MakeResult(std::make_shared<const std::vector<SequenceRow>>(
        ListRows(plan, phases, StepRecords(plan, report))))};
    part.details = std::make_shared<const CollectiveReport>(std::move(report));
    return part;
}

} // namespace ns3::rdma
