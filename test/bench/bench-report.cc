// SPDX-License-Identifier: GPL-2.0-only
#include "bench-report.h"

#include "hardware-ratio.h"

#include <algorithm>
#include <cstdio>

namespace ns3::rdma
{

namespace
{

constexpr double MILLION{1e6};
constexpr double START_TARGET_SECONDS{2}; ///< For 4096 servers.
constexpr uint32_t LARGEST{4096};

/// printf() into a string.
template <typename... Values>
std::string
Print(const char* format, Values... values)
{
    char text[250];
    std::snprintf(text, sizeof text, format, values...);
    return text;
}

double
GetBest(const std::vector<double>& rates)
{
    return *std::max_element(rates.begin(), rates.end());
}

/// Two columns; blank where there is nothing to compare with.
std::string
FormatBareRatio(const std::vector<double>& ratios)
{
    return ratios.empty() ? Print("%7s %7s", "-", "-")
                          : Print("%7.3f %7.3f", GetMedian(ratios), GetBest(ratios));
}

std::string
FormatRow(const BenchReport& report, const ScenarioRounds& rounds)
{
    const ScenarioMeasurement& first = rounds.rounds.front();
    const std::vector<double> rates = GetHopRates(rounds);
    return Print("%7u  %-12s %8.0f %12llu %7.2f %7.2f %7.2f ",
                 rounds.scenario.servers,
                 GetDesign(rounds.scenario).c_str(),
                 static_cast<double>(first.simulatedPs) / MILLION,
                 static_cast<unsigned long long>(first.packetHops),
                 GetBest(rates) / MILLION,
                 GetMedian(rates) / MILLION,
                 GetMedian(rates) / GetMedian(report.heap.front().rates)) +
           FormatBareRatio(GetBareRatios(report, rounds)) +
           Print(" %7.2f %7.1f %8llu %7.0f %7.0f %6.2f\n",
                 GetEventsPerHop(rounds),
                 static_cast<double>(GetPeakRss(rounds)) / MILLION,
                 static_cast<unsigned long long>(first.flows),
                 rounds.memory.perFlow,
                 rounds.memory.perServer,
                 first.setupSeconds);
}

std::string
FormatBare(const BenchReport& report)
{
    std::string text = "\nBare loop, million packet-hops/s (ratios refer to the one without switch "
                       "model):\n";
    for (const BareRounds& bare : report.bare)
    {
        text += Print("%7u  %-12s best %.2f, median %.2f\n",
                      bare.servers,
                      bare.hasSwitchModel ? "with switch" : "",
                      GetBest(bare.rates) / MILLION,
                      GetMedian(bare.rates) / MILLION);
    }
    return text;
}

std::string
FormatHeap(const BenchReport& report)
{
    std::string text =
        "\nEmpty events of ns-3's HeapScheduler, million/s (ratios refer to the first line):\n";
    for (const HeapRounds& heap : report.heap)
    {
        text += Print("%7u pending: best %.2f, median %.2f\n",
                      heap.pending,
                      GetBest(heap.rates) / MILLION,
                      GetMedian(heap.rates) / MILLION);
    }
    return text;
}

/// What single scenarios are measured for.
std::string
FormatAims(const BenchReport& report)
{
    std::string text;
    for (const ScenarioRounds& rounds : report.scenarios)
    {
        if (!rounds.scenario.duration)
        {
            text +=
                Print("\nTrace: %.1f times the %.2f million packet-hops/s of the SRNIC authors' "
                      "simulator\n",
                      GetMedian(GetHopRates(rounds)) / TRACE_REFERENCE_RATE,
                      TRACE_REFERENCE_RATE / MILLION);
        }
        if (rounds.scenario.servers == LARGEST)
        {
            const double seconds = rounds.rounds.front().setupSeconds;
            text += Print("\nStart-up of %u servers: %.2f s (target: %.0f)%s\n",
                          LARGEST,
                          seconds,
                          START_TARGET_SECONDS,
                          seconds > START_TARGET_SECONDS ? "  above the target" : "");
        }
    }
    return text;
}

} // namespace

std::vector<double>
GetHopRates(const ScenarioRounds& rounds)
{
    std::vector<double> rates;
    for (const ScenarioMeasurement& round : rounds.rounds)
    {
        rates.push_back(round.GetHopRate());
    }
    return rates;
}

std::vector<double>
GetBareRatios(const BenchReport& report, const ScenarioRounds& rounds)
{
    std::vector<double> ratios;
    for (const BareRounds& bare : report.bare)
    {
        if (bare.servers != rounds.scenario.servers || bare.hasSwitchModel)
        {
            continue;
        }
        for (size_t round = 0; round < bare.rates.size(); ++round)
        {
            ratios.push_back(rounds.rounds[round].GetHopRate() / bare.rates[round]);
        }
    }
    return ratios;
}

double
GetEventsPerHop(const ScenarioRounds& rounds)
{
    const ScenarioMeasurement& first = rounds.rounds.front();
    return static_cast<double>(first.events) / static_cast<double>(first.packetHops);
}

uint64_t
GetPeakRss(const ScenarioRounds& rounds)
{
    uint64_t peak = 0;
    for (const ScenarioMeasurement& round : rounds.rounds)
    {
        peak = std::max(peak, round.peakRssBytes);
    }
    return peak;
}

std::string
FormatTable(const BenchReport& report)
{
    std::string text =
        "                                           million hops/s   ratio   ratio to bare  events"
        "    peak          bytes   bytes   start\n"
        "servers  design             us  packet-hops    best  median to heap  median    best per "
        "hop"
        "      MB    flows per flow  server      s\n";
    for (const ScenarioRounds& rounds : report.scenarios)
    {
        text += FormatRow(report, rounds);
    }
    return text + FormatHardwareRatios(report) + FormatAims(report) + FormatBare(report) +
           FormatHeap(report) + Print("Load average before: %.2f\n", report.loadBefore);
}

} // namespace ns3::rdma
