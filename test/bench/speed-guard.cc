// SPDX-License-Identifier: GPL-2.0-only
#include "speed-guard.h"

#include "ns3/input-error.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

namespace ns3::rdma
{

namespace
{

/// One of the counts, where it is kept, and how it may grow.
struct Count
{
    const char* section; ///< Object of the file.
    const char* key;     ///< In the section.
    const char* name;    ///< In a line of numbers.
    const char* reason;  ///< In a verdict.
    double tolerance;
    double& (*find)(GuardCosts&);

    double Get(GuardCosts costs) const
    {
        return find(costs);
    }
};

constexpr const char* PER_HOP{"per_hop"};
constexpr const char* PER_FLOW{"per_flow"};
constexpr const char* HARDWARE_ON{"per_hop_hardware_on"};

const Count COUNTS[]{
    {PER_HOP,
     "instructions",
     "instructions",
     "more instructions per packet-hop",
     SpeedGuard::INSTRUCTIONS_TOLERANCE,
     [](GuardCosts& costs) -> double& { return costs.hop.instructions; }},
    {PER_HOP,
     "l1_misses",
     "L1 misses",
     "more L1 misses",
     SpeedGuard::MISSES_TOLERANCE,
     [](GuardCosts& costs) -> double& { return costs.hop.l1Misses; }},
    {PER_HOP,
     "l2_misses",
     "L2 misses",
     "more L2 misses",
     SpeedGuard::MISSES_TOLERANCE,
     [](GuardCosts& costs) -> double& { return costs.hop.l2Misses; }},
    {PER_HOP,
     "mispredictions",
     "mispredictions",
     "more mispredictions",
     SpeedGuard::MISPREDICTIONS_TOLERANCE,
     [](GuardCosts& costs) -> double& { return costs.hop.mispredictions; }},
    {PER_FLOW,
     "instructions",
     "instructions",
     "more instructions per flow",
     SpeedGuard::INSTRUCTIONS_TOLERANCE,
     [](GuardCosts& costs) -> double& { return costs.flowInstructions; }},
    {HARDWARE_ON,
     "srnic_instructions",
     "instructions of srnic",
     "more instructions of srnic with hardware on",
     SpeedGuard::INSTRUCTIONS_TOLERANCE,
     [](GuardCosts& costs) -> double& { return costs.srnic.on; }},
    {HARDWARE_ON,
     "connectx6_instructions",
     "instructions of connectx6",
     "more instructions of connectx6 with hardware on",
     SpeedGuard::INSTRUCTIONS_TOLERANCE,
     [](GuardCosts& costs) -> double& { return costs.connectx6.on; }},
};

constexpr double PERCENT{100};

bool
HasPositiveNumber(const nlohmann::json& json, const char* key)
{
    return json.contains(key) && json[key].is_number() && json[key].get<double>() > 0;
}

bool
HasCount(const nlohmann::json& json, const Count& count)
{
    return json.contains(count.section) && json[count.section].is_object() &&
           HasPositiveNumber(json[count.section], count.key);
}

bool
IsSound(const nlohmann::json& json)
{
    const auto isText = [&json](const char* key) {
        return json.contains(key) && json[key].is_string();
    };
    return json.is_object() &&
           std::all_of(std::begin(COUNTS),
                       std::end(COUNTS),
                       [&json](const Count& count) { return HasCount(json, count); }) &&
           HasPositiveNumber(json, "ratio") && isText("date") && isText("machine") &&
           isText("compiler");
}

/// @return to three decimals, as a file shows it.
double
Round(double value)
{
    constexpr double UNITS{1000};
    return std::round(value * UNITS) / UNITS;
}

std::string
FormatChange(const char* format, double value, const char* name, double reference)
{
    char text[100];
    std::snprintf(text, sizeof text, format, value, name, (value / reference - 1) * PERCENT);
    return text;
}

/// @return the numbers of a section, separated by commas.
std::string
FormatSection(const char* section, const GuardCosts& costs, const GuardCosts& references)
{
    constexpr double MANY{1000};
    std::string numbers;
    for (const Count& count : COUNTS)
    {
        if (count.section == section)
        {
            const double value = count.Get(costs);
            numbers += (numbers.empty() ? "" : ", ") +
                       FormatChange(value < MANY ? "%.4g %s (%+.1f %%)" : "%.0f %s (%+.1f %%)",
                                    value,
                                    count.name,
                                    count.Get(references));
        }
    }
    return numbers;
}

std::string
FormatHardwareRatios(const GuardCosts& costs)
{
    char text[100];
    std::snprintf(text,
                  sizeof text,
                  "off/on %.2f and %.2f",
                  costs.srnic.off / costs.srnic.on,
                  costs.connectx6.off / costs.connectx6.on);
    return text;
}

void
AddReason(const char* reason, std::string& reasons)
{
    reasons += std::string(reasons.empty() ? "" : ", ") + reason;
}

} // namespace

double
GuardRates::GetRatio() const
{
    return *std::max_element(model.begin(), model.end()) /
           *std::max_element(bare.begin(), bare.end());
}

SpeedGuard::SpeedGuard(const GuardCosts& costs, double ratio, Origin origin)
    : m_costs(costs),
      m_ratio(ratio),
      m_origin(std::move(origin))
{
}

SpeedGuard
SpeedGuard::Read(const std::string& path)
{
    std::ifstream file(path);
    if (!file)
    {
        throw InputError(path + ": cannot be read");
    }
    const auto json = nlohmann::json::parse(file, nullptr, false);
    if (!IsSound(json))
    {
        throw InputError(
            path + R"(: expected {"per_hop": {"instructions", "l1_misses", )"
                   R"("l2_misses", "mispredictions"}, "per_flow": {"instructions"}, )"
                   R"("per_hop_hardware_on": {"srnic_instructions", "connectx6_instructions"}, )"
                   R"("ratio": all numbers above 0, "date", "machine", "compiler": text})");
    }
    GuardCosts costs;
    for (const Count& count : COUNTS)
    {
        count.find(costs) = json[count.section][count.key];
    }
    return {costs, json["ratio"], {json["date"], json["machine"], json["compiler"]}};
}

std::string
SpeedGuard::Format() const
{
    nlohmann::ordered_json json;
    for (const Count& count : COUNTS)
    {
        json[count.section][count.key] = Round(count.Get(m_costs));
    }
    json["ratio"] = Round(m_ratio);
    json["date"] = m_origin.date;
    json["machine"] = m_origin.machine;
    json["compiler"] = m_origin.compiler;
    constexpr int INDENT{2};
    return json.dump(INDENT) + "\n";
}

bool
SpeedGuard::IsFastEnough(const GuardRates& rates) const
{
    return rates.GetRatio() >= (1 - RATIO_TOLERANCE) * m_ratio;
}

SpeedGuard::Verdict
SpeedGuard::Judge(const GuardCosts& costs, const GuardRates& rates) const
{
    std::string reasons;
    for (const Count& count : COUNTS)
    {
        if (count.Get(costs) > (1 + count.tolerance) * count.Get(m_costs))
        {
            AddReason(count.reason, reasons);
        }
    }
    if (!IsFastEnough(rates))
    {
        AddReason("slower beside the bare loop", reasons);
    }
    const std::string verdict = reasons.empty() ? "passed" : "FAILED (" + reasons + ")";
    return {reasons.empty(),
            "speed guard: " + verdict + "; compared with " + m_origin.date + ", " +
                m_origin.machine + ", " + m_origin.compiler + "\n" + Describe(costs, rates)};
}

std::string
SpeedGuard::Describe(const GuardCosts& costs, const GuardRates& rates) const
{
    return "  per packet-hop: " + FormatSection(PER_HOP, costs, m_costs) +
           "\n  per flow of one packet, without its packet-hops: " +
           FormatSection(PER_FLOW, costs, m_costs) +
           "\n  per packet-hop with hardware on: " + FormatSection(HARDWARE_ON, costs, m_costs) +
           "; " + FormatHardwareRatios(costs) + "\n  processor time: " +
           FormatChange("%.3f %s (%+.1f %%)", rates.GetRatio(), "of the bare loop's rate", m_ratio);
}

} // namespace ns3::rdma
