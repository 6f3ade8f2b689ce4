// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_HARDWARE_RATIO_H
#define RDMA_HARDWARE_RATIO_H

#include "bench-report.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// A design with hardware on, beside the same with hardware off.
struct HardwareRatio
{
    /// Of the rate with hardware off, at least (docs/validation/performance.md).
    static constexpr double TARGET{0.6};

    ScenarioCase scenario;
    std::vector<double> rounds; ///< Hop rate with hardware on by that with hardware off.
    double median{0};
};

/// @return the middle value, the lower one of two.
inline double
GetMedian(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values[(values.size() - 1) / 2];
}

/// @return whether two cases differ in hardware only, the first has it on.
inline bool
IsHardwarePair(const ScenarioCase& on, const ScenarioCase& off)
{
    return on.isHardwareTimed && !off.isHardwareTimed && on.servers == off.servers &&
           std::string(on.nic) == off.nic && on.hasPfc == off.hasPfc && on.duration &&
           off.duration && std::string(on.duration) == off.duration;
}

/// @return a ratio for each scenario that was measured with hardware on and off.
inline std::vector<HardwareRatio>
GetHardwareRatios(const BenchReport& report)
{
    std::vector<HardwareRatio> ratios;
    for (const ScenarioRounds& on : report.scenarios)
    {
        for (const ScenarioRounds& off : report.scenarios)
        {
            if (!IsHardwarePair(on.scenario, off.scenario))
            {
                continue;
            }
            HardwareRatio ratio{on.scenario, {}};
            for (size_t round = 0; round < on.rounds.size(); ++round)
            {
                ratio.rounds.push_back(on.rounds[round].GetHopRate() /
                                       off.rounds[round].GetHopRate());
            }
            ratio.median = GetMedian(ratio.rounds);
            ratios.push_back(ratio);
        }
    }
    return ratios;
}

/// @return a line for each ratio below a title; nothing if there is none.
inline std::string
FormatHardwareRatios(const BenchReport& report)
{
    char line[100];
    std::string text;
    for (const HardwareRatio& ratio : GetHardwareRatios(report))
    {
        const char* remark = ratio.median < HardwareRatio::TARGET ? "  below the target" : "";
        std::snprintf(line,
                      sizeof line,
                      "%7u  %-12s %.2f%s\n",
                      ratio.scenario.servers,
                      ratio.scenario.nic,
                      ratio.median,
                      remark);
        text += line;
    }
    std::snprintf(line,
                  sizeof line,
                  "\nHops/s with hardware on by off, same round, median (target: %.2f):\n",
                  HardwareRatio::TARGET);
    return text.empty() ? text : line + text;
}

} // namespace ns3::rdma

#endif // RDMA_HARDWARE_RATIO_H
