// SPDX-License-Identifier: GPL-2.0-only

#include "../command.h"

#include "ns3/exit-status.h"
#include "ns3/kv-store-run.h"

#include <iomanip>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace ns3::rdma
{

namespace
{

using Json = nlohmann::ordered_json;

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

/// Counts memory accesses of a hash table and prints them.
class KvStoreCommand : public Command
{
  public:
    KvStoreCommand()
        : Command({"kv-store",
                   "Count memory accesses of KV-Direct's hash table and of others",
                   "  rocelab kv-store --kv-size 10 --utilization 0.1,0.5\n"
                   "  rocelab kv-store --table cuckoo --fill",
                   110})
    {
    }

    void AddOptions(CLI::App& command) override;
    int Run(const CommandContext& context) override;

  private:
    KvStoreRequest m_request;
    bool m_hasJson{false}; ///< Instead of a table.
};

void
KvStoreCommand::AddOptions(CLI::App& command)
{
    constexpr uint64_t MAX_OPERATIONS{1'000'000'000};
    command.add_option("--table", m_request.table, "Hash table: kv-direct, cuckoo or hopscotch")
        ->capture_default_str();
    command.add_option("--memory", m_request.memory, "Size of hash index and slabs, bytes")
        ->capture_default_str();
    command
        .add_option("--kv-size",
                    m_request.sizes,
                    "Size of key and value, bytes: 10, or 5-30 at random")
        ->capture_default_str();
    command
        .add_option("--hash-index-ratio",
                    m_request.hashIndexRatio,
                    "Hash index as a share of the memory")
        ->capture_default_str();
    command
        .add_option("--inline-threshold",
                    m_request.inlineThreshold,
                    "Largest pair stored inline, bytes")
        ->check(CLI::Range(0, 50))
        ->capture_default_str();
    command
        .add_option("--max-slab", m_request.maxSlabBytes, "Largest slab, bytes: 512, 1024 or 2048")
        ->check(CLI::Range(0, 65536))
        ->capture_default_str();
    command
        .add_option("--utilization",
                    m_request.utilizations,
                    "Measured utilizations, keys and values over memory: 0.1,0.5")
        ->delimiter(',')
        ->capture_default_str();
    command
        .add_option("-n,--operations",
                    m_request.operations,
                    "Number of GETs, and of PUTs, at each utilization")
        ->check(CLI::Range(uint64_t{1}, MAX_OPERATIONS))
        ->capture_default_str();
    command.add_flag("--fill", m_request.isFilled, "Insertions until no further pair fits");
    command.add_option("--seed", m_request.seed, "Random seed of hash function and operations")
        ->check(CLI::Range(uint64_t{0}, uint64_t{UINT32_MAX}))
        ->capture_default_str();
    command.add_flag("--json", m_hasJson, "Results as JSON instead of a table");
}

int
KvStoreCommand::Run(const CommandContext&)
{
    const Json result = KvStoreRun(m_request).Run();
    if (m_hasJson)
    {
        std::cout << result.dump(2) << '\n';
    }
    else
    {
        WriteTable(result);
    }
    return EXIT_GOOD;
}

const RegisteredCommand<KvStoreCommand> REGISTERED;

} // namespace

} // namespace ns3::rdma
