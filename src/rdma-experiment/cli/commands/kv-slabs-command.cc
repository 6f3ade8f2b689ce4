// SPDX-License-Identifier: GPL-2.0-only

#include "../command.h"
#include "../option-checks.h"

#include "ns3/exit-status.h"
#include "ns3/slab-run.h"

#include <iomanip>
#include <iostream>
#include <nlohmann/json.hpp>

namespace ns3::rdma
{

namespace
{

using Json = nlohmann::ordered_json;

constexpr int NAME_WIDTH{28};

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

/// Measures the slab allocator and prints the results.
class KvSlabsCommand : public Command
{
  public:
    KvSlabsCommand()
        : Command({"kv-slabs",
                   "Measure the costs of KV-Direct's slab allocator",
                   "  rocelab kv-slabs churn --slab 64\n"
                   "  rocelab kv-slabs merge --merge bitmap",
                   120})
    {
    }

    void AddOptions(CLI::App& command) override;
    void CheckOptions(const CLI::App& command) const override;
    int Run(const CommandContext& context) override;

  private:
    SlabRunRequest m_request;
    SlabMergeRequest m_merge; ///< With the pattern "merge".
    bool m_hasJson{false};    ///< Instead of a table.
};

void
KvSlabsCommand::AddOptions(CLI::App& command)
{
    constexpr uint32_t MAX_NUMBER{1 << 30};
    command
        .add_option("pattern",
                    m_request.pattern,
                    "Pattern of operations: allocate, free, reuse, churn, large-to-small, "
                    "small-to-large, merge")
        ->required();
    command.add_option("--memory", m_request.memory, "Size of all slabs together, bytes")
        ->capture_default_str();
    command.add_option("--slab", m_request.slabBytes, "Size of a slab, bytes, 32 to 256")
        ->check(CLI::Range(0U, MAX_NUMBER))
        ->capture_default_str();
    command.add_option("--batch", m_request.batchEntries, "Free-list entries in one DMA")
        ->check(CLI::Range(0U, MAX_NUMBER))
        ->capture_default_str();
    command
        .add_option("--merge", m_request.mergeMethod, "Way to merge slabs: bitmap or radix-sort")
        ->capture_default_str();
    command.add_option("--slots", m_merge.slots, "Free slabs of 32 bytes (merge)")
        ->check(CLI::Range(uint64_t{0}, uint64_t{UINT32_MAX}))
        ->capture_default_str();
    command.add_option("--threads", m_merge.threads, "Threads of the radix sort (merge)")
        ->check(CLI::Range(0U, MAX_NUMBER))
        ->capture_default_str();
    command.add_option("--seed", m_request.seed, "Random seed of the order of operations")
        ->check(CLI::Range(uint64_t{0}, uint64_t{UINT32_MAX}))
        ->capture_default_str();
    command.add_flag("--json", m_hasJson, "Results as JSON instead of a table");
}

void
KvSlabsCommand::CheckOptions(const CLI::App& command) const
{
    if (m_request.pattern == "merge")
    {
        RefuseOptions(command, {"--memory", "--slab", "--batch"}, "another pattern than merge");
    }
    else
    {
        RefuseOptions(command, {"--slots", "--threads"}, "the pattern merge");
    }
}

int
KvSlabsCommand::Run(const CommandContext&)
{
    Json result;
    if (m_request.pattern == "merge")
    {
        SlabMergeRequest merge = m_merge;
        merge.mergeMethod = m_request.mergeMethod;
        merge.seed = m_request.seed;
        result = RunSlabMerge(merge);
    }
    else
    {
        result = SlabRun(m_request).Run();
    }
    if (m_hasJson)
    {
        std::cout << result.dump(2) << '\n';
    }
    else
    {
        WriteNames(result);
    }
    return EXIT_GOOD;
}

const RegisteredCommand<KvSlabsCommand> REGISTERED;

} // namespace

} // namespace ns3::rdma
