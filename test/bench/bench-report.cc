// SPDX-License-Identifier: GPL-2.0-only
#include "bench-report.h"

#include "hardware-ratio.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace ns3::rdma
{

namespace
{

using Json = nlohmann::ordered_json;

constexpr double MILLION{1e6};

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

double
GetBest(const std::vector<double>& rates)
{
    return *std::max_element(rates.begin(), rates.end());
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

double
GetEventsPerHop(const ScenarioMeasurement& round)
{
    return static_cast<double>(round.events) / static_cast<double>(round.packetHops);
}

std::string
FormatRow(const ScenarioRounds& rounds, double heapRate)
{
    const ScenarioMeasurement& first = rounds.rounds.front();
    const std::vector<double> rates = GetHopRates(rounds);
    char row[200];
    std::snprintf(row,
                  sizeof row,
                  "%7u  %-12s %9.0f %13llu %8.2f %8.2f %8.2f %8.2f %8.1f %8llu %8.2f\n",
                  rounds.scenario.servers,
                  GetDesign(rounds.scenario).c_str(),
                  static_cast<double>(first.simulatedPs) / MILLION,
                  static_cast<unsigned long long>(first.packetHops),
                  GetBest(rates) / MILLION,
                  GetMedian(rates) / MILLION,
                  GetMedian(rates) / heapRate,
                  GetEventsPerHop(first),
                  static_cast<double>(GetPeakRss(rounds)) / MILLION,
                  static_cast<unsigned long long>(first.flows),
                  first.setupSeconds);
    return row;
}

Json
MakeJson(const ScenarioRounds& rounds)
{
    const ScenarioMeasurement& first = rounds.rounds.front();
    const std::vector<double> rates = GetHopRates(rounds);
    return {{"servers", rounds.scenario.servers},
            {"nic", rounds.scenario.nic},
            {"hardware", rounds.scenario.isHardwareTimed ? "on" : "off"},
            {"simulated_us", static_cast<double>(first.simulatedPs) / MILLION},
            {"packet_hops", first.packetHops},
            {"packet_hops_per_second",
             {{"best", GetBest(rates)}, {"median", GetMedian(rates)}, {"rounds", rates}}},
            {"events_per_hop", GetEventsPerHop(first)},
            {"peak_rss_bytes", GetPeakRss(rounds)},
            {"flows", first.flows},
            {"setup_seconds", first.setupSeconds}};
}

} // namespace

std::string
FormatTable(const BenchReport& report)
{
    const double heapRate = GetMedian(report.heap.front().rates);
    std::string text =
        "                                               million hops/s   ratio   events     peak"
        "             setup\n"
        "servers  design              us   packet-hops     best   median  to heap  per hop       MB"
        "    flows        s\n";
    for (const ScenarioRounds& rounds : report.scenarios)
    {
        text += FormatRow(rounds, heapRate);
    }
    text += FormatHardwareRatios(report);
    text += "\nEmpty events of ns-3's HeapScheduler, million/s (ratios refer to the first line):\n";
    for (const HeapRounds& heap : report.heap)
    {
        char row[100];
        std::snprintf(row,
                      sizeof row,
                      "%7u pending: best %.2f, median %.2f\n",
                      heap.pending,
                      GetBest(heap.rates) / MILLION,
                      GetMedian(heap.rates) / MILLION);
        text += row;
    }
    char load[100];
    std::snprintf(load, sizeof load, "Load average before: %.2f\n", report.loadBefore);
    return text + load;
}

std::string
FormatJson(const BenchReport& report)
{
    Json json;
    json["load_average_before"] = report.loadBefore;
    for (const HeapRounds& heap : report.heap)
    {
        json["heap_scheduler"].push_back({{"pending", heap.pending},
                                          {"events_per_second",
                                           {{"best", GetBest(heap.rates)},
                                            {"median", GetMedian(heap.rates)},
                                            {"rounds", heap.rates}}}});
    }
    const double heapRate = GetMedian(report.heap.front().rates);
    for (const ScenarioRounds& rounds : report.scenarios)
    {
        Json scenario = MakeJson(rounds);
        scenario["ratio_to_heap_scheduler"] = GetMedian(GetHopRates(rounds)) / heapRate;
        json["scenarios"].push_back(std::move(scenario));
    }
    for (const HardwareRatio& ratio : GetHardwareRatios(report))
    {
        json["hardware_ratios"].push_back({{"servers", ratio.scenario.servers},
                                           {"nic", ratio.scenario.nic},
                                           {"median", ratio.median},
                                           {"rounds", ratio.rounds}});
    }
    return json.dump(2) + "\n";
}

} // namespace ns3::rdma
