// SPDX-License-Identifier: GPL-2.0-only

#include "kv-processor-command.h"

#include "ns3/exit-status.h"

#include <iomanip>
#include <iostream>
#include <nlohmann/json.hpp>

namespace ns3::rdma
{

namespace
{

using Json = nlohmann::ordered_json;

double
GetRatio(uint64_t part, uint64_t whole)
{
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

Json
MakeJson(const KvProcessorRun& run, const KvProcessorResult& result)
{
    const KvWorkloadSettings& workload = run.GetWorkload();
    const KvMemoryStats& memory = result.memory;
    const KvProcessorStats& processor = result.processor;
    constexpr double PS_PER_US{1e6};
    const double microseconds = static_cast<double>(result.duration) / PS_PER_US;
    Json json;
    json["keyBytes"] = workload.keyBytes;
    json["valueBytes"] = workload.valueBytes;
    json["keys"] = result.keys;
    json["utilization"] = result.utilization;
    json["hashIndexRatio"] = run.GetStore().hashIndexRatio;
    json["inlineThreshold"] = run.GetStore().inlineThreshold;
    json["dispatchRatio"] = result.dispatchRatio;
    json["operations"] = result.operations;
    json["duration_us"] = microseconds;
    json["mops"] = microseconds > 0 ? static_cast<double>(result.operations) / microseconds : 0;
    json["failures"] = result.failures;
    json["latency_us"] = {{"mean", result.latency.average},
                          {"p50", result.latency.typical},
                          {"p99", result.latency.p99},
                          {"p999", result.latency.p999},
                          {"max", result.latency.max}};
    json["pcieReadsPerOperation"] = GetRatio(memory.pcieReads, result.operations);
    json["pcieWritesPerOperation"] = GetRatio(memory.pcieWrites, result.operations);
    json["pcieGBps"] =
        microseconds > 0 ? static_cast<double>(memory.pcieBytes) / microseconds / 1e3 : 0;
    json["dramAccessesPerOperation"] = GetRatio(memory.cardAccesses, result.operations);
    json["dramHits"] = memory.hits;
    json["dramMisses"] = memory.misses;
    json["dramWriteBacks"] = memory.writeBacks;
    json["dramHitShare"] = GetRatio(memory.hits, memory.hits + memory.misses);
    json["forwarded"] = processor.forwarded;
    json["waited"] = processor.waited;
    json["collided"] = processor.collided;
    json["writeBacks"] = processor.writeBacks;
    json["stalls"] = processor.stalls;
    json["maxEntries"] = processor.maxEntries;
    return json;
}

void
WriteTable(const Json& json, const std::string& prefix)
{
    constexpr int NAME_WIDTH{32};
    for (const auto& [name, value] : json.items())
    {
        if (value.is_object())
        {
            WriteTable(value, name + " ");
            continue;
        }
        std::cout << std::left << std::setw(NAME_WIDTH) << prefix + name << value << '\n';
    }
}

} // namespace

CLI::App*
AddKvProcessorCommand(CLI::App& app, KvProcessorCommandOptions& options)
{
    KvProcessorRequest& request = options.request;
    constexpr uint64_t MAX_MEMORY{uint64_t{16} << 30};
    constexpr uint64_t MAX_OPERATIONS{1'000'000'000};
    constexpr uint64_t MAX_REQUEST_RATE{1'000'000'000'000};
    CLI::App* command =
        app.add_subcommand("kv-processor", "KV-Direct's processor by itself, without a network");
    command->add_option("--memory", request.memoryBytes, "Of the store, bytes (64 MiB)")
        ->transform(CLI::AsSizeValue(true))
        ->check(CLI::Range(uint64_t{8} << 10, MAX_MEMORY));
    command->add_option("--pair", request.pairBytes, "Key and value together, bytes")
        ->check(CLI::Range(2, 2045))
        ->capture_default_str();
    command->add_option("--key", request.keyBytes, "Bytes of the key (half of the pair, 4 to 8)")
        ->check(CLI::Range(1, 255));
    command->add_option("--utilization", request.utilization, "Share of the memory that is filled")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
    command->add_option("--index-ratio", request.indexRatio, "Share that is hash index (by --pair)")
        ->check(CLI::Range(0.0, 1.0));
    command
        ->add_option("--inline", request.inlineThreshold, "Pairs up to so many bytes (by --pair)")
        ->check(CLI::Range(0, 50));
    CLI::Option* const gets =
        command->add_option("--get", request.getShare, "Share of GETs; the rest are PUTs")
            ->check(CLI::Range(0.0, 1.0))
            ->capture_default_str();
    CLI::Option* const zipf =
        command->add_option("--zipf", request.theta, "Exponent of the keys' popularity; 0: uniform")
            ->check(CLI::Range(0.0, 0.9999))
            ->capture_default_str();
    CLI::Option* const ycsb =
        command->add_option("--ycsb", request.ycsb, "Core workload a, b, c, d or f instead")
            ->excludes(gets)
            ->excludes(zipf);
    command->add_option("--atomics", request.atomics, "Fetch-and-add on so many keys instead")
        ->check(CLI::Range(uint64_t{1}, uint64_t{1} << 32))
        ->excludes(gets)
        ->excludes(zipf)
        ->excludes(ycsb);
    command->add_option("--links", request.links, "PCIe links")
        ->check(CLI::Range(1, 16))
        ->capture_default_str();
    command
        ->add_option("--request-rate",
                     request.requestRate,
                     "DMA reads and writes together of each link per second; 0: no limit")
        ->check(CLI::Range(uint64_t{0}, MAX_REQUEST_RATE))
        ->capture_default_str();
    command->add_option("--cache", request.cacheRatio, "NIC DRAM over memory; 0: none")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
    command->add_option("--dispatch", request.dispatchRatio, "Share that it may cache (balanced)")
        ->check(CLI::Range(0.0, 1.0));
    command->add_flag("!--in-order", request.isOutOfOrder, "Stall on conflicts");
    command->add_flag("!--wait-for-write-back",
                      request.isForwardedMeanwhile,
                      "Nothing is forwarded from a value that is being written back");
    command->add_option("--rate", request.rate, "Operations per second that arrive (no limit)")
        ->check(CLI::Range(1.0, 1e12));
    command->add_option("-n,--operations", request.operations, "That are measured")
        ->check(CLI::Range(uint64_t{1}, MAX_OPERATIONS))
        ->capture_default_str();
    command->add_option("--warmup", request.warmup, "Operations before (4 per line of the cache)")
        ->check(CLI::Range(uint64_t{0}, MAX_OPERATIONS));
    command->add_option("--seed", request.seed, "Of the run")
        ->check(CLI::Range(uint64_t{0}, uint64_t{UINT32_MAX}))
        ->capture_default_str();
    command->add_flag("--json", options.hasJson, "Results as JSON instead of a table");
    return command;
}

int
KvProcessorCommand(const KvProcessorCommandOptions& said)
{
    KvProcessorRun run(said.request);
    const Json json = MakeJson(run, run.Run());
    if (said.hasJson)
    {
        std::cout << json.dump(2) << '\n';
    }
    else
    {
        WriteTable(json, "");
    }
    return EXIT_GOOD;
}

} // namespace ns3::rdma
