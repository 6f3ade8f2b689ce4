// SPDX-License-Identifier: GPL-2.0-only
#include "bench-report.h"
#include "hardware-ratio.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace ns3::rdma
{

namespace
{

using Json = nlohmann::ordered_json;

constexpr double PS_PER_US{1e6};

/// Of one value per round.
Json
Summarize(const std::vector<double>& rounds)
{
    return {{"best", *std::max_element(rounds.begin(), rounds.end())},
            {"median", GetMedian(rounds)},
            {"rounds", rounds}};
}

Json
MakeScenario(const BenchReport& report, const ScenarioRounds& rounds)
{
    const ScenarioMeasurement& first = rounds.rounds.front();
    const std::vector<double> rates = GetHopRates(rounds);
    Json json = {
        {"servers", rounds.scenario.servers},
        {"nic", rounds.scenario.nic},
        {"hardware", rounds.scenario.isHardwareTimed ? "on" : "off"},
        {"pfc_asked_for", rounds.scenario.hasPfc},
        {"is_trace", rounds.scenario.duration == nullptr},
        {"simulated_us", static_cast<double>(first.simulatedPs) / PS_PER_US},
        {"packet_hops", first.packetHops},
        {"packet_hops_per_second", Summarize(rates)},
        {"ratio_to_heap_scheduler", GetMedian(rates) / GetMedian(report.heap.front().rates)},
        {"events_per_hop", GetEventsPerHop(rounds)},
        {"peak_rss_bytes", GetPeakRss(rounds)},
        {"flows", first.flows},
        {"bytes_per_active_flow", rounds.memory.perFlow},
        {"bytes_per_idle_server", rounds.memory.perServer},
        {"setup_seconds", first.setupSeconds}};
    const std::vector<double> ratios = GetBareRatios(report, rounds);
    if (!ratios.empty())
    {
        json["ratio_to_bare_loop"] = Summarize(ratios);
    }
    return json;
}

} // namespace

std::string
FormatJson(const BenchReport& report)
{
    Json json;
    json["load_average_before"] = report.loadBefore;
    for (const HeapRounds& heap : report.heap)
    {
        json["heap_scheduler"].push_back(
            {{"pending", heap.pending}, {"events_per_second", Summarize(heap.rates)}});
    }
    for (const BareRounds& bare : report.bare)
    {
        json["bare_loop"].push_back({{"servers", bare.servers},
                                     {"switch_model", bare.hasSwitchModel},
                                     {"packet_hops_per_second", Summarize(bare.rates)}});
    }
    for (const ScenarioRounds& rounds : report.scenarios)
    {
        json["scenarios"].push_back(MakeScenario(report, rounds));
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
