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

SpeedGuard
SpeedGuard::Read(const std::string& path)
{
    std::ifstream file(path);
    if (!file)
    {
        throw InputError(path + ": cannot be read");
    }
    const auto json = nlohmann::json::parse(file, nullptr, false);
    const auto isText = [&json](const char* key) {
        return json.contains(key) && json[key].is_string();
    };
    const bool isSound = json.is_object() && json.contains("ratio") && json["ratio"].is_number() &&
                         json["ratio"].get<double>() > 0 && isText("date") && isText("machine");
    if (!isSound)
    {
        throw InputError(path + R"(: expected {"ratio": a number above 0, "date": text, )"
                                R"("machine": text})");
    }
    SpeedGuard guard;
    guard.m_path = path;
    guard.m_ratio = json["ratio"];
    guard.m_date = json["date"];
    guard.m_machine = json["machine"];
    return guard;
}

SpeedGuard::Verdict
SpeedGuard::Judge(const GuardRates& rates) const
{
    const double ratio = *std::max_element(rates.model.begin(), rates.model.end()) /
                         *std::max_element(rates.bare.begin(), rates.bare.end());
    const bool isPassed = ratio >= (1 - TOLERANCE) * m_ratio;
    constexpr double PERCENT{100};
    char text[200];
    std::snprintf(text,
                  sizeof text,
                  "speed guard: %s: full model by bare loop is %.3f, %.1f %% %s the %.3f of %s",
                  isPassed ? "passed" : "FAILED",
                  ratio,
                  std::abs(ratio / m_ratio - 1) * PERCENT,
                  ratio < m_ratio ? "below" : "above",
                  m_ratio,
                  m_path.c_str());
    return {isPassed, text + (" (" + m_date + ", " + m_machine + ")")};
}

} // namespace ns3::rdma
