// SPDX-License-Identifier: GPL-2.0-only

#include "kv-store-command.h"

#include "option-checks.h"

#include "ns3/exit-status.h"

#include <iomanip>
#include <iostream>
#include <sstream>

namespace ns3::rdma
{

namespace
{
using Json = nlohmann::ordered_json;

constexpr int NAME_WIDTH{28};
constexpr int COLUMN_WIDTH{12};

/// @return a mean, or "-" where nothing was counted.
std::string
FormatMean(const Json& summary)
{
    if (summary.is_null())
    {
        return "-";
    }
    std::ostringstream text;
    text << std::fixed << std::setprecision(3) << summary["mean"].get<double>();
    return text.str();
}

void
WriteTable(const Json& result)
{
    std::cout << result["table"].get<std::string>() << ", " << result["memory"].get<std::string>()
              << ", pairs of " << result["sizes"].get<std::string>() << " bytes, hash index ratio "
              << result["hashIndexRatio"] << ", inline threshold " << result["inlineThreshold"]
              << '\n'
              << std::right;
    for (const char* head : {"utilization", "pairs", "get", "put", "update", "DMA/alloc."})
    {
        std::cout << std::setw(COLUMN_WIDTH) << head;
    }
    std::cout << '\n';
    for (const Json& point : result["points"])
    {
        std::cout << std::setw(COLUMN_WIDTH) << point["utilization"].get<double>()
                  << std::setw(COLUMN_WIDTH) << point["pairs"].get<uint64_t>();
        for (const char* kind : {"get", "put", "update"})
        {
            std::cout << std::setw(COLUMN_WIDTH) << FormatMean(point[kind]);
        }
        const Json& table = point["table"];
        std::cout << std::setw(COLUMN_WIDTH) << std::fixed << std::setprecision(4)
                  << table.value("dmaPerAllocation", 0.0) << std::defaultfloat << '\n';
    }
    std::cout << (result["isFull"].get<bool>() ? "full at a memory utilization of "
                                               : "memory utilization ")
              << result["reached"] << ", " << result["pairs"] << " pairs\n";
}

void
WriteNames(const Json& result)
{
    for (const auto& [name, value] : result.items())
    {
        if (value.is_object())
        {
            WriteNames(value);
            continue;
        }
        std::cout << std::left << std::setw(NAME_WIDTH) << name << value << '\n';
    }
}
} // namespace

CLI::App*
AddKvStoreCommand(CLI::App& app, KvStoreCommandOptions& options)
{
    constexpr uint64_t MAX_OPERATIONS{1'000'000'000};
    KvStoreRequest& request = options.request;
    CLI::App* command =
        app.add_subcommand("kv-store", "Memory accesses of KV-Direct's hash table and of others");
    command->add_option("--table", request.table, "kv-direct, cuckoo or hopscotch")
        ->capture_default_str();
    command->add_option("--memory", request.memory, "Of hash index and slabs")
        ->capture_default_str();
    command->add_option("--kv-size", request.sizes, "Bytes of key and value: 10, or 5-30 at random")
        ->capture_default_str();
    command->add_option("--hash-index-ratio", request.hashIndexRatio, "Share of the memory")
        ->capture_default_str();
    command
        ->add_option("--inline-threshold", request.inlineThreshold, "Bytes that are still inline")
        ->check(CLI::Range(0, 50))
        ->capture_default_str();
    command->add_option("--max-slab", request.maxSlabBytes, "Bytes: 512, 1024 or 2048")
        ->check(CLI::Range(0, 65536))
        ->capture_default_str();
    command
        ->add_option("--utilization",
                     request.utilizations,
                     "Keys and values over memory, where accesses are counted: 0.1,0.5")
        ->delimiter(',')
        ->capture_default_str();
    command->add_option("-n,--operations", request.operations, "Of each kind, at each of them")
        ->check(CLI::Range(uint64_t{1}, MAX_OPERATIONS))
        ->capture_default_str();
    command->add_flag("--fill", request.isFilled, "Go on until no further pair fits");
    command->add_option("--seed", request.seed, "Of hash function and operations")
        ->check(CLI::Range(uint64_t{0}, uint64_t{UINT32_MAX}))
        ->capture_default_str();
    command->add_flag("--json", options.hasJson, "Results as JSON instead of a table");
    return command;
}

CLI::App*
AddKvSlabsCommand(CLI::App& app, KvSlabsCommandOptions& options)
{
    constexpr uint32_t MAX_NUMBER{1 << 30};
    SlabRunRequest& request = options.request;
    CLI::App* command = app.add_subcommand("kv-slabs", "What KV-Direct's slab allocator costs");
    command
        ->add_option("pattern",
                     request.pattern,
                     "allocate, free, reuse, churn, large-to-small, small-to-large, or merge")
        ->required();
    command->add_option("--memory", request.memory, "Of all slabs")->capture_default_str();
    command->add_option("--slab", request.slabBytes, "Bytes, 32 to 256")
        ->check(CLI::Range(0U, MAX_NUMBER))
        ->capture_default_str();
    command->add_option("--batch", request.batchEntries, "Entries of one DMA")
        ->check(CLI::Range(0U, MAX_NUMBER))
        ->capture_default_str();
    command->add_option("--merge", request.mergeMethod, "bitmap or radix-sort")
        ->capture_default_str();
    command->add_option("--slots", options.merge.slots, "Free slabs of 32 bytes (merge)")
        ->check(CLI::Range(uint64_t{0}, uint64_t{UINT32_MAX}))
        ->capture_default_str();
    command->add_option("--threads", options.merge.threads, "Of the radix sort (merge)")
        ->check(CLI::Range(0U, MAX_NUMBER))
        ->capture_default_str();
    command->add_option("--seed", request.seed, "Of the order of operations")
        ->check(CLI::Range(uint64_t{0}, uint64_t{UINT32_MAX}))
        ->capture_default_str();
    command->add_flag("--json", options.hasJson, "Results as JSON instead of a table");
    command->final_callback([command, &request] {
        if (request.pattern == "merge")
        {
            RefuseOptions(*command,
                          {"--memory", "--slab", "--batch"},
                          "another pattern than merge");
        }
        else
        {
            RefuseOptions(*command, {"--slots", "--threads"}, "the pattern merge");
        }
    });
    return command;
}

int
KvStoreCommand(const KvStoreCommandOptions& said)
{
    const Json result = KvStoreRun(said.request).Run();
    if (said.hasJson)
    {
        std::cout << result.dump(2) << '\n';
    }
    else
    {
        WriteTable(result);
    }
    return EXIT_GOOD;
}

int
KvSlabsCommand(const KvSlabsCommandOptions& said)
{
    Json result;
    if (said.request.pattern == "merge")
    {
        SlabMergeRequest merge = said.merge;
        merge.mergeMethod = said.request.mergeMethod;
        merge.seed = said.request.seed;
        result = RunSlabMerge(merge);
    }
    else
    {
        result = SlabRun(said.request).Run();
    }
    if (said.hasJson)
    {
        std::cout << result.dump(2) << '\n';
    }
    else
    {
        WriteNames(result);
    }
    return EXIT_GOOD;
}

} // namespace ns3::rdma
