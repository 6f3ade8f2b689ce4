// SPDX-License-Identifier: GPL-2.0-only

// The benchmark of ./waf bench: parts of the packet path by Google Benchmark, then whole scenarios
// beside ns-3's own scheduler.  What is measured, and how to read it, is in
// docs/validation/performance.md.

#include "../test-files.h"
#include "bench-report.h"
#include "bench-rounds.h"
#include "child-process.h"
#include "guard-command.h"
#include "guard-run.h"

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
    GuardOptions guard;
    std::string runOnce;
    GuardRun run{true, 1024, "10us", {}, {}};
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

/// Runs what the guard counts or measures, in this process.
void
PrintOneRun(GuardRun run, const BenchOptions& options)
{
    run.isModel = options.runOnce == "model";
    run.extraWork = options.guard.extraWork;
    const GuardRunResult result = RunOnce(run);
    std::cout << result.packetHops << ' ' << result.flows << ' ' << result.seconds << std::endl;
}

/// @return the exit status.
int
Run(BenchOptions options)
{
    if (!options.runOnce.empty())
    {
        PrintOneRun(options.run, options);
        return 0;
    }
    if (options.isGuard || options.guard.isUpdate)
    {
        options.guard.isQuick = options.isQuick;
        return RunGuard(options.guard);
    }
    RunBenchmarks(options);
    return 0;
}

void
AddOptions(CLI::App& app, BenchOptions& options)
{
    app.add_flag("--quick", options.isQuick, "Only 64 servers, once, without the parts");
    app.add_option("--rounds", options.rounds, "How often each scenario runs")
        ->check(CLI::Range(1, 100))
        ->capture_default_str();
    app.add_option("--part", options.part, "What to measure")
        ->check(CLI::IsMember({"all", "parts", "scenarios"}))
        ->capture_default_str();
    app.add_flag("--guard", options.isGuard, "Only: fail if the full model has become slow");
    app.add_option("--guard-file", options.guard.file, "What --guard compares with")
        ->capture_default_str();
    app.add_flag("--guard-update",
                 options.guard.isUpdate,
                 "Only: write the file that --guard compares with");
    app.add_option("--run-once",
                   options.runOnce,
                   "Only: one run; prints packet-hops, flows and seconds")
        ->check(CLI::IsMember({"model", "bare"}));
    app.add_option("--servers", options.run.servers, "Of --run-once")->capture_default_str();
    app.add_option("--duration", options.run.duration, "Of --run-once")->capture_default_str();
    GuardTraffic& traffic = options.run.traffic;
    app.add_option("--nic", traffic.nic, "Of --run-once model")
        ->check(CLI::IsMember({"srnic", "connectx6", "irn", "uet", "mrc"}))
        ->capture_default_str();
    app.add_flag("--hardware", traffic.isHardwareTimed, "Of --run-once model: hardware on");
    app.add_option("--load", traffic.load, "Of --run-once model")->capture_default_str();
    app.add_flag("--one-packet-flows",
                 traffic.hasOnePacketFlows,
                 "Of --run-once model: flows of 1,000 bytes, run to the last");
    app.add_option("--extra-rounds", options.guard.extraWork.rounds, "Slows the model, for tests");
    app.add_option("--extra-lines", options.guard.extraWork.lines, "Slows the model, for tests");
    app.add_option("--extra-flow-rounds",
                   options.guard.extraWork.flowRounds,
                   "Slows the start of flows, for tests");
    app.add_option("--json", options.jsonFile, "File for the numbers of the scenarios");
    app.allow_extras();
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
    options.guard.file = GetCheckout() / "test/bench/guard.json";
    CLI::App app("Measures speed and memory; options --benchmark_... go to Google Benchmark.",
                 "rocelab-bench");
    AddOptions(app, options);
    CLI11_PARSE(app, argc, argv);
    if (!InitializeGoogleBenchmark(argv[0], app.remaining()))
    {
        return 1;
    }
    try
    {
        return Run(options);
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
}
