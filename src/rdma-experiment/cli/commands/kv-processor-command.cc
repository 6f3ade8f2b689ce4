// SPDX-License-Identifier: GPL-2.0-only

#include "../command.h"

#include "ns3/exit-status.h"
#include "ns3/kv-processor-run.h"

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

/// Runs a KV processor alone and prints its results.
class KvProcessorCommand : public Command
{
  public:
    KvProcessorCommand()
        : Command({"kv-processor",
                   "Measure KV-Direct's processor alone, without a network",
                   "  rocelab kv-processor --get 0.95 --zipf 0.99\n"
                   "  rocelab kv-processor --atomics 1 --in-order      one key, stalling\n"
                   "  rocelab kv-processor --ycsb a --rate 5e7 --json",
                   100})
    {
    }

    void AddOptions(CLI::App& command) override;
    int Run(const CommandContext& context) override;

  private:
    KvProcessorRequest m_request;
    bool m_hasJson{false}; ///< Instead of a table.
};

void
KvProcessorCommand::AddOptions(CLI::App& command)
{
    constexpr uint64_t MAX_MEMORY{KvStoreSettings::MAX_MEMORY_BYTES};
    constexpr uint64_t MAX_OPERATIONS{1'000'000'000};
    constexpr uint64_t MAX_REQUEST_RATE{1'000'000'000'000};
    command.add_option("--memory", m_request.memoryBytes, "Memory of the store, bytes (64 MiB)")
        ->transform(CLI::AsSizeValue(true))
        ->check(CLI::Range(uint64_t{8} << 10, MAX_MEMORY));
    command.add_option("--pair", m_request.pairBytes, "Size of key and value together, bytes")
        ->check(CLI::Range(2, 2045))
        ->capture_default_str();
    command
        .add_option("--key",
                    m_request.keyBytes,
                    "Size of the key, bytes (half of the pair, 4 to 8)")
        ->check(CLI::Range(1, 255));
    command.add_option("--utilization", m_request.utilization, "Filled share of the memory")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
    command
        .add_option("--index-ratio",
                    m_request.indexRatio,
                    "Share of the hash index in memory (by --pair)")
        ->check(CLI::Range(0.0, 1.0));
    command
        .add_option("--inline",
                    m_request.inlineThreshold,
                    "Largest pair stored inline, bytes (by --pair)")
        ->check(CLI::Range(0, 50));
    CLI::Option* const gets =
        command.add_option("--get", m_request.getShare, "Share of GETs; the rest are PUTs")
            ->check(CLI::Range(0.0, 1.0))
            ->capture_default_str();
    CLI::Option* const zipf =
        command
            .add_option("--zipf", m_request.theta, "Exponent of the keys' popularity; 0: uniform")
            ->check(CLI::Range(0.0, 0.9999))
            ->capture_default_str();
    CLI::Option* const ycsb =
        command
            .add_option("--ycsb",
                        m_request.ycsb,
                        "YCSB core workload: a, b, c, d or f, in place of --get and --zipf")
            ->excludes(gets)
            ->excludes(zipf);
    CLI::Option* const atomics =
        command
            .add_option("--atomics",
                        m_request.atomics,
                        "Keys of fetch-and-adds, in place of GETs and PUTs")
            ->check(CLI::Range(uint64_t{1}, uint64_t{1} << 32))
            ->excludes(gets)
            ->excludes(zipf)
            ->excludes(ycsb);
    command
        .add_flag("--in-turn",
                  m_request.isInTurn,
                  "Atomics go to their keys in turn, not at random")
        ->needs(atomics);
    command
        .add_flag(
            "--counted",
            m_request.isCounted,
            "Count accesses without the store's bytes, for large --memory; the warm-up takes no "
            "time")
        ->excludes(ycsb);
    command.add_option("--links", m_request.links, "PCIe links")
        ->check(CLI::Range(1, 16))
        ->capture_default_str();
    command
        .add_option("--request-rate",
                    m_request.requestRate,
                    "DMA reads and writes together of each link per second; 0: no limit")
        ->check(CLI::Range(uint64_t{0}, MAX_REQUEST_RATE))
        ->capture_default_str();
    command.add_option("--cache", m_request.cacheRatio, "Size of NIC DRAM over memory; 0: no DRAM")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
    command
        .add_option("--dispatch",
                    m_request.dispatchRatio,
                    "Share of memory that DRAM may cache (balanced by formula)")
        ->check(CLI::Range(0.0, 1.0));
    command.add_flag("!--in-order",
                     m_request.isOutOfOrder,
                     "In-order execution, with stalls on conflicts");
    command.add_flag("!--wait-for-write-back",
                     m_request.isForwardedMeanwhile,
                     "No forwarding from a value until its write-back ends");
    command.add_option("--rate", m_request.rate, "Arrival rate, operations per second (no limit)")
        ->check(CLI::Range(1.0, 1e12));
    command.add_option("-n,--operations", m_request.operations, "Measured operations")
        ->check(CLI::Range(uint64_t{1}, MAX_OPERATIONS))
        ->capture_default_str();
    command
        .add_option("--warmup",
                    m_request.warmup,
                    "Operations before the measurement (4 per line of the cache)")
        ->check(CLI::Range(uint64_t{0}, MAX_OPERATIONS));
    command.add_option("--seed", m_request.seed, "Random seed")
        ->check(CLI::Range(uint64_t{0}, uint64_t{UINT32_MAX}))
        ->capture_default_str();
    command.add_flag("--json", m_hasJson, "Results as JSON instead of a table");
}

int
KvProcessorCommand::Run(const CommandContext&)
{
    KvProcessorRun run(m_request);
    const Json json = MakeJson(run, run.Run());
    if (m_hasJson)
    {
        std::cout << json.dump(2) << '\n';
    }
    else
    {
        WriteTable(json, "");
    }
    return EXIT_GOOD;
}

const RegisteredCommand<KvProcessorCommand> REGISTERED;

} // namespace

} // namespace ns3::rdma
