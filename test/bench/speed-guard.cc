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
    const char* key;
    const char* name;
    double HopCosts::*value;
    double tolerance;
};

constexpr Count COUNTS[]{
    {"instructions", "instructions", &HopCosts::instructions, SpeedGuard::INSTRUCTIONS_TOLERANCE},
    {"l1_misses", "L1 misses", &HopCosts::l1Misses, SpeedGuard::MISSES_TOLERANCE},
    {"l2_misses", "L2 misses", &HopCosts::l2Misses, SpeedGuard::MISSES_TOLERANCE},
    {"mispredictions",
     "mispredictions",
     &HopCosts::mispredictions,
     SpeedGuard::MISPREDICTIONS_TOLERANCE},
};

constexpr double PERCENT{100};

bool
HasPositiveNumber(const nlohmann::json& json, const char* key)
{
    return json.contains(key) && json[key].is_number() && json[key].get<double>() > 0;
}

bool
IsSound(const nlohmann::json& json)
{
    const auto isText = [&json](const char* key) {
        return json.contains(key) && json[key].is_string();
    };
    return json.is_object() && json.contains("per_hop") && json["per_hop"].is_object() &&
           std::all_of(std::begin(COUNTS),
                       std::end(COUNTS),
                       [&json](const Count& count) {
                           return HasPositiveNumber(json["per_hop"], count.key);
                       }) &&
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

} // namespace

double
GuardRates::GetRatio() const
{
    return *std::max_element(model.begin(), model.end()) /
           *std::max_element(bare.begin(), bare.end());
}

SpeedGuard::SpeedGuard(const HopCosts& costs, double ratio, Origin origin)
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
        throw InputError(path + R"(: expected {"per_hop": {"instructions", "l1_misses", )"
                                R"("l2_misses", "mispredictions": numbers above 0}, )"
                                R"("ratio": a number above 0, "date", "machine", )"
                                R"("compiler": text})");
    }
    HopCosts costs;
    for (const Count& count : COUNTS)
    {
        costs.*count.value = json["per_hop"][count.key];
    }
    return {costs, json["ratio"], {json["date"], json["machine"], json["compiler"]}};
}

std::string
SpeedGuard::Format() const
{
    nlohmann::ordered_json json;
    for (const Count& count : COUNTS)
    {
        json["per_hop"][count.key] = Round(m_costs.*count.value);
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
SpeedGuard::Judge(const HopCosts& costs, const GuardRates& rates) const
{
    std::string reasons;
    std::string numbers;
    for (const Count& count : COUNTS)
    {
        const double value = costs.*count.value;
        const double reference = m_costs.*count.value;
        numbers += FormatChange("%.4g %s (%+.1f %%), ", value, count.name, reference);
        if (value > (1 + count.tolerance) * reference)
        {
            reasons += std::string(reasons.empty() ? "" : ", ") + "more " + count.name;
        }
    }
    if (!IsFastEnough(rates))
    {
        reasons += std::string(reasons.empty() ? "" : ", ") + "slower beside the bare loop";
    }
    numbers +=
        FormatChange("%.3f %s (%+.1f %%)", rates.GetRatio(), "of the bare loop's rate", m_ratio);
    const std::string verdict = reasons.empty() ? "passed" : "FAILED (" + reasons + ")";
    return {reasons.empty(),
            "speed guard: " + verdict + ": per packet-hop " + numbers + "; compared with " +
                m_origin.date + ", " + m_origin.machine + ", " + m_origin.compiler};
}

} // namespace ns3::rdma
