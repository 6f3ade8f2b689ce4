// SPDX-License-Identifier: GPL-2.0-only

// The benchmark of ./waf bench: parts of the packet path by Google Benchmark, then whole scenarios
// beside ns-3's own scheduler.  What is measured, and how to read it, is in docs/performance.md.

#include "../test-files.h"
#include "bench-report.h"
#include "child-process.h"
#include "hardware-ratio.h"
#include "heap-scheduler-run.h"

#include "ns3/nstime.h"

#include <CLI/CLI.hpp>
#include <benchmark/benchmark.h>
#include <cstdlib>
#include <fstream>
#include <iostream>

namespace
{

using namespace ns3::rdma;

/// Two to four seconds each on the machine of docs/performance.md.
const std::vector<ScenarioCase> SCENARIOS{{64, "srnic", "6ms"},
                                          {64, "srnic", "6ms", true},
                                          {64, "connectx6", "6ms"},
                                          {64, "connectx6", "6ms", true},
                                          {256, "srnic", "1500us"},
                                          {1024, "srnic", "400us"}};

const std::vector<ScenarioCase> QUICK_SCENARIOS{{64, "srnic", "2ms"},
                                                {64, "srnic", "2ms", true},
                                                {64, "connectx6", "2ms"},
                                                {64, "connectx6", "2ms", true}};

/// Roughly what waits in a fabric of 64 to 256 servers, and of 1024 and more.
constexpr uint32_t HEAP_PENDING[]{10'000, 100'000};
constexpr uint64_t HEAP_EVENTS{4'000'000};
constexpr uint64_t QUICK_HEAP_EVENTS{1'000'000};

struct BenchOptions
{
    bool isQuick{false};
    uint32_t rounds{3};
    std::string part{"all"};
    std::string jsonFile;
};

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

void
MeasureRound(const BenchOptions& options, const std::string& round, BenchReport& report)
{
    for (HeapRounds& heap : report.heap)
    {
        ShowProgress(round + ", heap scheduler, " + std::to_string(heap.pending) + " pending");
        const uint64_t count = options.isQuick ? QUICK_HEAP_EVENTS : HEAP_EVENTS;
        heap.rates.push_back(RunInChild<double>([&heap, count] {
                                 return MeasureHeapScheduler(heap.pending, count);
                             }).value);
    }
    const std::string file = GetCheckout() / "test/bench/cache-follower.json";
    for (ScenarioRounds& rounds : report.scenarios)
    {
        const ScenarioCase& scenario = rounds.scenario;
        const std::string name =
            std::to_string(scenario.servers) + " servers, " + GetDesign(scenario);
        ShowProgress(round + ", " + name);
        const auto child = RunInChild<ScenarioMeasurement>(
            [&file, &scenario] { return MeasureScenario(file, scenario); });
        rounds.rounds.push_back(child.value);
        rounds.rounds.back().peakRssBytes = child.peakRssBytes;
        if (child.value.violations > 0)
        {
            throw std::runtime_error(name + ": invariants are broken, see rocelab run " + file);
        }
    }
}

/// Rounds go over all cases in turn, so that a busy minute of the machine does not hit one case.
BenchReport
MeasureScenarios(const BenchOptions& options)
{
    BenchReport report;
    getloadavg(&report.loadBefore, 1);
    for (const ScenarioCase& scenario : options.isQuick ? QUICK_SCENARIOS : SCENARIOS)
    {
        report.scenarios.push_back({scenario, {}});
    }
    for (const uint32_t pending : HEAP_PENDING)
    {
        report.heap.push_back({pending, {}});
    }
    const uint32_t rounds = options.isQuick ? 1 : options.rounds;
    for (uint32_t round = 1; round <= rounds; ++round)
    {
        MeasureRound(options,
                     "round " + std::to_string(round) + " of " + std::to_string(rounds),
                     report);
    }
    ShowProgress("");
    return report;
}

void
RunBenchmarks(const BenchOptions& options)
{
    if (options.part != "scenarios" && !options.isQuick)
    {
        // In a child: what the parts allocate must not count in the scenarios' peak memory.
        RunInChild<size_t>([] { return benchmark::RunSpecifiedBenchmarks(); });
        std::cout << '\n';
    }
    if (options.part == "parts")
    {
        return;
    }
    const BenchReport report = MeasureScenarios(options);
    std::cout << FormatTable(report);
    if (!options.jsonFile.empty())
    {
        std::ofstream file(options.jsonFile);
        file << FormatJson(report);
        file.close();
        if (!file)
        {
            throw std::runtime_error(options.jsonFile + ": cannot be written");
        }
    }
}

/// @return false, with a message, if an argument is not one of Google Benchmark's either.
bool
InitializeGoogleBenchmark(char* program, std::vector<std::string> arguments)
{
    std::vector<char*> argv{program};
    for (std::string& argument : arguments)
    {
        argv.push_back(argument.data());
    }
    int argc = static_cast<int>(argv.size());
    argv.push_back(nullptr);
    benchmark::Initialize(&argc, argv.data());
    return !benchmark::ReportUnrecognizedArguments(argc, argv.data());
}

} // namespace

int
main(int argc, char** argv)
{
    ns3::Time::SetResolution(ns3::Time::PS);
    BenchOptions options;
    CLI::App app("Measures speed and memory; options --benchmark_... go to Google Benchmark.",
                 "rocelab-bench");
    app.add_flag("--quick", options.isQuick, "Only 64 servers, once, without the parts");
    app.add_option("--rounds", options.rounds, "How often each scenario runs")
        ->check(CLI::Range(1, 100))
        ->capture_default_str();
    app.add_option("--part", options.part, "What to measure")
        ->check(CLI::IsMember({"all", "parts", "scenarios"}))
        ->capture_default_str();
    app.add_option("--json", options.jsonFile, "File for the numbers of the scenarios");
    app.allow_extras();
    CLI11_PARSE(app, argc, argv);
    if (!InitializeGoogleBenchmark(argv[0], app.remaining()))
    {
        return 1;
    }
    try
    {
        RunBenchmarks(options);
    }
    catch (const std::exception& error)
    {
        std::cerr << "rocelab-bench: " << error.what() << '\n';
        return 1;
    }
    return 0;
}
