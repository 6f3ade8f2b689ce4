// SPDX-License-Identifier: GPL-2.0-only
#include "guard-measurement.h"

#include "cachegrind.h"
#include "child-process.h"

#include <array>
#include <ctime>
#include <filesystem>
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
    const char* startDuration; ///< Of the run that is subtracted.
    const char* countDuration;
    const char* rateDuration;
    size_t minPairs;
    size_t maxPairs;
};

constexpr GuardSizes FULL{1024, "2us", "60us", "100us", 3, 8};
constexpr GuardSizes QUICK{64, "5us", "40us", "100us", 1, 1};

SimulatedRun
CountRun(uint32_t servers, const char* duration, const ExtraWork& extraWork)
{
    return RunUnderCachegrind({std::filesystem::read_symlink("/proc/self/exe"),
                               "--run-once=model",
                               "--servers=" + std::to_string(servers),
                               std::string("--duration=") + duration,
                               "--extra-rounds=" + std::to_string(extraWork.rounds),
                               "--extra-lines=" + std::to_string(extraWork.lines)});
}

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

HopCosts
CountHopCosts(bool isQuick, const ExtraWork& extraWork)
{
    const GuardSizes& sizes = isQuick ? QUICK : FULL;
    const SimulatedRun start = CountRun(sizes.servers, sizes.startDuration, extraWork);
    const SimulatedRun whole = CountRun(sizes.servers, sizes.countDuration, extraWork);
    // The output begins with the packet-hops.
    const double hops = std::stod(whole.output) - std::stod(start.output);
    const auto perHop = [&](uint64_t SimulatedCounts::*count) {
        return static_cast<double>(whole.counts.*count - start.counts.*count) / hops;
    };
    return {perHop(&SimulatedCounts::instructions),
            perHop(&SimulatedCounts::l1Misses),
            perHop(&SimulatedCounts::l2Misses),
            perHop(&SimulatedCounts::mispredictions)};
}

GuardRates
MeasureGuardRates(bool isQuick,
                  const ExtraWork& extraWork,
                  const std::function<bool(const GuardRates&)>& isEnough)
{
    const GuardSizes& sizes = isQuick ? QUICK : FULL;
    const GuardRun bare{false, sizes.servers, sizes.rateDuration, {}};
    const GuardRun model{true, sizes.servers, sizes.rateDuration, extraWork};
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
