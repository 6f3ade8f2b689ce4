// SPDX-License-Identifier: GPL-2.0-only
#include "ns3/run-keys.h"

#include "ns3/quantity.h"
#include "ns3/workload-keys.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

namespace ns3::rdma
{

namespace
{

/// The keys of a run that ends when its mean is known well enough.
void
ReadPrecision(const JsonValue& value, RunSpec& run)
{
    const auto precision = value.Find("precision");
    const auto warmup = value.Find("warmup");
    if (!precision)
    {
        if (warmup)
        {
            value.Fail("precision beside warmup", "warmup alone");
        }
        return;
    }
    run.precision = precision->GetNumber();
    if (!(run.precision > 0 && run.precision < 1))
    {
        precision->Fail("a number above 0 and below 1");
    }
    const auto drain = value.Find("drain");
    if (drain && run.drain)
    {
        drain->Fail("false beside precision, which ends a run at once");
    }
    run.drain = false;
    run.warmup = value.Get("warmup").GetTime();
}

} // namespace

RunSpec
ReadRun(const JsonValue& value)
{
    value.ExpectKeys({"seed", "drain", "stallLimit", "fluidStart", "precision", "warmup"});
    RunSpec run;
    if (const auto seed = value.Find("seed"))
    {
        run.seed = seed->GetWhole(0, std::numeric_limits<uint64_t>::max());
    }
    if (const auto drain = value.Find("drain"))
    {
        run.drain = drain->GetBool();
    }
    const auto limit = value.Find("stallLimit");
    run.stallLimit = limit ? limit->GetPositiveTime() : Seconds(1);
    if (const auto fluidStart = value.Find("fluidStart"))
    {
        run.fluidStart = fluidStart->GetPositiveTime();
    }
    ReadPrecision(value, run);
    return run;
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

nlohmann::ordered_json
WriteRun(const RunSpec& run)
{
    nlohmann::ordered_json json{{"seed", run.seed},
                                {"drain", run.drain},
                                {"stallLimit", FormatTime(run.stallLimit)}};
    if (!run.fluidStart.IsZero())
    {
        json["fluidStart"] = FormatTime(run.fluidStart);
    }
    if (run.precision > 0)
    {
        json["precision"] = run.precision;
        json["warmup"] = FormatTime(run.warmup);
    }
    return json;
}

} // namespace ns3::rdma
