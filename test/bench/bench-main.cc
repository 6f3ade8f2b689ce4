// SPDX-License-Identifier: GPL-2.0-only

// The benchmark of ./waf bench: parts of the packet path by Google Benchmark, then whole scenarios
// beside ns-3's own scheduler.  What is measured, and how to read it, is in docs/performance.md.

#include "../test-files.h"
#include "bench-report.h"
#include "bench-rounds.h"
#include "child-process.h"
#include "speed-guard.h"

#include "ns3/huge-pages.h"
#include "ns3/input-error.h"
#include "ns3/nstime.h"

#include <CLI/CLI.hpp>
#include <benchmark/benchmark.h>
#include <fstream>
#include <iostream>

namespace
{

using namespace ns3::rdma;

struct BenchOptions
{
    bool isQuick{false};
    uint32_t rounds{3};
    std::string part{"all"};
    std::string jsonFile;
    bool isGuard{false};
    std::string guardFile;
};

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
    const BenchReport report = MeasureRounds(options.isQuick, options.isQuick ? 1 : options.rounds);
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

/// @return the exit status.
int
RunGuard(const BenchOptions& options)
{
    const SpeedGuard guard = SpeedGuard::Read(options.guardFile);
    const SpeedGuard::Verdict verdict = guard.Judge(MeasureGuardRates(options.isQuick));
    (verdict.isPassed ? std::cout : std::cerr) << verdict.line << std::endl;
    return verdict.isPassed ? 0 : 1;
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
    UseHugePages(); // As a run does; children, the bare loop's too, have them from here.
    ns3::Time::SetResolution(ns3::Time::PS);
    BenchOptions options;
    options.guardFile = GetCheckout() / "test/bench/guard.json";
    CLI::App app("Measures speed and memory; options --benchmark_... go to Google Benchmark.",
                 "rocelab-bench");
    app.add_flag("--quick", options.isQuick, "Only 64 servers, once, without the parts");
    app.add_option("--rounds", options.rounds, "How often each scenario runs")
        ->check(CLI::Range(1, 100))
        ->capture_default_str();
    app.add_option("--part", options.part, "What to measure")
        ->check(CLI::IsMember({"all", "parts", "scenarios"}))
        ->capture_default_str();
    app.add_flag("--guard", options.isGuard, "Only: fail if the full model has become slow");
    app.add_option("--guard-file", options.guardFile, "What --guard compares with")
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
        if (options.isGuard)
        {
            return RunGuard(options);
        }
        RunBenchmarks(options);
    }
    catch (const InputError& error)
    {
        std::cerr << "rocelab-bench: " << error.what() << '\n';
        return 2;
    }
    catch (const std::exception& error)
    {
        std::cerr << "rocelab-bench: " << error.what() << '\n';
        return 1;
    }
    return 0;
}
