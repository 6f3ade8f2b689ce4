// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/run-keys.h"

#include "ns3/quantity.h"
#include "ns3/workload-keys.h"

#include <algorithm>

namespace ns3::rdma
{

void
VisitRun(Keys& keys, RunSpec& run)
{
    keys.Count("seed", run.seed, "of all random streams");
    keys.Time("stallLimit",
              run.stallLimit,
              "the run ends if nothing progresses for this simulated time")
        .Positive();
    keys.Time("fluidStart",
              run.fluidStart,
              "flows share the links as a fluid before this time, packets are simulated after it")
        .Positive()
        .OmitIf(run.fluidStart.IsZero())
        .Otherwise("none");
    keys.Number("precision",
                run.precision,
                "the run ends when the half width of the 95 % interval of the mean slowdown is "
                "this share of it")
        .Above(0)
        .Below(1)
        .OmitIf(run.precision == 0)
        .Otherwise("none");
    const bool hasPrecision = run.precision > 0;
    keys.Time("warmup", run.warmup, "time at the begin of the packets that is not measured")
        .RequiredIf(hasPrecision)
        .OnlyIf(hasPrecision, "no warmup without precision");
    keys.Flag("drain",
              run.drain,
              !hasPrecision,
              "the run ends when all flows are done; else with the time of the workloads")
        .Otherwise("true; false with precision");
    keys.Check(!hasPrecision || !run.drain,
               "drain",
               "false beside precision, which ends a run at once");
}

bool
IsMeasured(const WorkloadKind& workload)
{
    return workload.GetDuration() && workload.IsUniform();
}

namespace
{
/// The precision of a mean is that of random arrivals between all servers.
void
CheckPrecision(const Scenario& scenario, const JsonValue& precision)
{
    const auto& all = scenario.workloads;
    if (std::any_of(all.begin(), all.end(), [](const auto& one) { return IsMeasured(*one); }))
    {
        return;
    }
    if (all.size() > 1)
    {
        precision.Fail("at least one workload of random arrivals between all servers with it",
                       "none");
    }
    if (!all.front()->GetDuration())
    {
        precision.Fail("a workload of random arrivals with it", all.front()->GetInfo().name);
    }
    precision.Fail("a workload between all servers with it", "one of groups");
}
} // namespace

void
CheckRun(const Scenario& scenario, const JsonValue& value)
{
    const bool hasPrecision = scenario.run.precision > 0;
    if (hasPrecision)
    {
        CheckPrecision(scenario, value.Get("precision"));
    }
    const Time begin = scenario.run.fluidStart + scenario.run.warmup;
    for (const auto& workload : scenario.workloads)
    {
        const auto last = workload->GetLastTime();
        const bool counts =
            scenario.workloads.size() == 1 || (hasPrecision && IsMeasured(*workload));
        if (counts && last && begin >= *last)
        {
            value.Get(scenario.run.warmup.IsZero() ? "fluidStart" : "warmup")
                .Fail("an end before that of the workload, " + FormatTime(*last),
                      FormatTime(begin));
        }
        const auto end = GetLastTime(scenario);
        if (!scenario.run.drain && end && workload->GetPlace().start >= *end)
        {
            value.Get(hasPrecision ? "precision" : "drain")
                .Fail("workloads that start before the run ends without drain, at " +
                          FormatTime(*end),
                      workload->GetPlace().name + " at " + FormatTime(workload->GetPlace().start));
        }
    }
}

} // namespace ns3::rdma
