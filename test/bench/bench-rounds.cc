// SPDX-License-Identifier: GPL-2.0-only
#include "bench-rounds.h"

#include "../test-files.h"
#include "bare-loop-run.h"
#include "child-process.h"
#include "heap-scheduler-run.h"

#include <cstdlib>
#include <iostream>
#include <map>
#include <string>

namespace ns3::rdma
{

namespace
{

/// "srnic+pfc" is the full model: ECN, shared buffer, PFC, an acknowledgment per packet, DCTCP.
/// Each takes two to four seconds on the machine of docs/validation/performance.md.
const std::vector<ScenarioCase> SCENARIOS{{64, "srnic", "6ms", false, true},
                                          {64, "srnic", "6ms"},
                                          {64, "srnic", "6ms", true},
                                          {64, "connectx6", "6ms"},
                                          {64, "connectx6", "6ms", true},
                                          {64, "srnic", nullptr},
                                          {256, "srnic", "1500us"},
                                          {1024, "srnic", "400us", false, true},
                                          {1024, "srnic", "400us"},
                                          {1024, "connectx6", "400us"},
                                          {1024, "irn", "400us"},
                                          {4096, "srnic", "60us", false, true}};

const std::vector<BareRounds> BARE_LOOPS{{64, "6ms", false},
                                         {64, "6ms", true},
                                         {256, "1500us", false},
                                         {1024, "400us", false},
                                         {1024, "400us", true},
                                         {4096, "60us", false}};

const std::vector<ScenarioCase> QUICK_SCENARIOS{{64, "srnic", "1500us", false, true},
                                                {64, "srnic", "1500us"},
                                                {64, "srnic", "1500us", true},
                                                {64, "connectx6", "1500us"},
                                                {64, "connectx6", "1500us", true}};

const std::vector<BareRounds> QUICK_BARE_LOOPS{{64, "1500us", false}, {64, "1500us", true}};

/// Roughly what waits in a fabric of 64 to 256 servers, and of 1024 and more.
constexpr uint32_t HEAP_PENDING[]{10'000, 100'000};
constexpr uint64_t HEAP_EVENTS{4'000'000};
constexpr uint64_t QUICK_HEAP_EVENTS{1'000'000};

/// Tells a user at a terminal what takes so long; says nothing in a pipe.
void
ShowProgress(const std::string& text)
{
    if (isatty(STDERR_FILENO))
    {
        constexpr const char* ERASE_LINE{"\r\033[K"};
        std::cerr << ERASE_LINE << text << std::flush;
    }
}

std::string
GetScenarioFile(const ScenarioCase& scenario)
{
    const char* name = scenario.duration ? "cache-follower.json" : "hpcc-trace.json";
    return GetCheckout() / "test/bench" / name;
}

ScenarioMeasurement
MeasureInChild(const ScenarioCase& scenario)
{
    const std::string file = GetScenarioFile(scenario);
    const auto child = RunInChild<ScenarioMeasurement>(
        [&file, &scenario] { return MeasureScenario(file, scenario); });
    ScenarioMeasurement measurement = child.value;
    measurement.peakRssBytes = child.peakRssBytes;
    if (measurement.violations > 0)
    {
        throw std::runtime_error(std::to_string(scenario.servers) + " servers, " +
                                 GetDesign(scenario) + ": invariants are broken, see rocelab run " +
                                 file);
    }
    return measurement;
}

double
MeasureInChild(const BareRounds& bare)
{
    return RunInChild<BareLoopMeasurement>([&bare] {
               return MeasureBareLoop(bare.servers, bare.duration, bare.hasSwitchModel);
           })
        .value.GetHopRate();
}

/// Once for each design: the same in every round, whatever the size.
void
MeasureMemoryOfAll(BenchReport& report)
{
    std::map<std::string, MemoryMeasurement> byDesign;
    for (ScenarioRounds& rounds : report.scenarios)
    {
        ScenarioCase scenario = rounds.scenario;
        scenario.duration = "1ms"; // The trace's design is measured without its trace.
        const std::string design = GetDesign(scenario);
        if (byDesign.count(design) == 0)
        {
            ShowProgress("memory, " + design);
            byDesign[design] = RunInChild<MemoryMeasurement>([&scenario] {
                                   return MeasureMemory(GetScenarioFile(scenario), scenario);
                               }).value;
        }
        rounds.memory = byDesign[design];
    }
}

void
MeasureRound(uint64_t heapEvents, const std::string& round, BenchReport& report)
{
    for (HeapRounds& heap : report.heap)
    {
        ShowProgress(round + ", heap scheduler, " + std::to_string(heap.pending) + " pending");
        heap.rates.push_back(RunInChild<double>([&heap, heapEvents] {
                                 return MeasureHeapScheduler(heap.pending, heapEvents);
                             }).value);
    }
    for (BareRounds& bare : report.bare)
    {
        ShowProgress(round + ", bare loop, " + std::to_string(bare.servers) + " servers");
        bare.rates.push_back(MeasureInChild(bare));
    }
    for (ScenarioRounds& rounds : report.scenarios)
    {
        ShowProgress(round + ", " + std::to_string(rounds.scenario.servers) + " servers, " +
                     GetDesign(rounds.scenario));
        rounds.rounds.push_back(MeasureInChild(rounds.scenario));
    }
}

} // namespace

BenchReport
MeasureRounds(bool isQuick, uint32_t rounds)
{
    BenchReport report;
    getloadavg(&report.loadBefore, 1);
    report.bare = isQuick ? QUICK_BARE_LOOPS : BARE_LOOPS;
    for (const ScenarioCase& scenario : isQuick ? QUICK_SCENARIOS : SCENARIOS)
    {
        if (!scenario.duration && !HasTrace())
        {
            std::cout << "No trace at " << GetTraceFile() << " (set ROCELAB_SHARED): left out\n";
            continue;
        }
        report.scenarios.push_back({scenario, {}});
    }
    for (const uint32_t pending : HEAP_PENDING)
    {
        report.heap.push_back({pending, {}});
    }
    MeasureMemoryOfAll(report);
    for (uint32_t round = 1; round <= rounds; ++round)
    {
        MeasureRound(isQuick ? QUICK_HEAP_EVENTS : HEAP_EVENTS,
                     "round " + std::to_string(round) + " of " + std::to_string(rounds),
                     report);
    }
    ShowProgress("");
    return report;
}

} // namespace ns3::rdma
