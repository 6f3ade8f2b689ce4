// SPDX-License-Identifier: GPL-2.0-only
#include "guard-measurement.h"

#include "child-process.h"

#include <array>
#include <ctime>
#include <fstream>
#include <thread>

namespace ns3::rdma
{

namespace
{

/// How large and how long the guard's runs are.
struct GuardSizes
{
    uint32_t servers;
    const char* duration;
    size_t minPairs;
    size_t maxPairs;
};

constexpr GuardSizes FULL{1024, "100us", 3, 8};
constexpr GuardSizes QUICK{64, "100us", 1, 1};

double
MeasureRate(const GuardRun& run)
{
    const auto result = RunInChild<GuardRunResult>([&run] { return RunOnce(run); }).value;
    return static_cast<double>(result.packetHops) / result.seconds;
}

/// @return the processor as the kernel names it.
std::string
GetProcessorName()
{
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
    {
        const size_t colon = line.find(": ");
        if (line.rfind("model name", 0) == 0 && colon != std::string::npos)
        {
            return line.substr(colon + 2);
        }
    }
    return "unknown processor";
}

} // namespace

GuardRates
MeasureGuardRates(bool isQuick,
                  const ExtraWork& extraWork,
                  const std::function<bool(const GuardRates&)>& isEnough)
{
    const GuardSizes& sizes = isQuick ? QUICK : FULL;
    const GuardRun bare{false, sizes.servers, sizes.duration, {}, {}};
    const GuardRun model{true, sizes.servers, sizes.duration, extraWork, {}};
    GuardRates rates;
    while (rates.model.size() < sizes.minPairs ||
           (rates.model.size() < sizes.maxPairs && !isEnough(rates)))
    {
        rates.bare.push_back(MeasureRate(bare));
        rates.model.push_back(MeasureRate(model));
    }
    return rates;
}

SpeedGuard::Origin
GetOrigin()
{
    const std::time_t now = std::time(nullptr);
    std::array<char, 16> date;
    std::strftime(date.data(), date.size(), "%Y-%m-%d", std::gmtime(&now));
    return {date.data(),
            std::to_string(std::thread::hardware_concurrency()) + " x " + GetProcessorName(),
            "g++ " __VERSION__};
}

} // namespace ns3::rdma
