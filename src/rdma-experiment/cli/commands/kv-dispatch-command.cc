// SPDX-License-Identifier: GPL-2.0-only

#include "../command.h"

#include "ns3/exit-status.h"
#include "ns3/input-error.h"
#include "ns3/kv-load-dispatch.h"

#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ns3::rdma
{

namespace
{

using Json = nlohmann::ordered_json;

/// Prints the results of KvLoadDispatch for each pair of ratios, as JSON.
class KvDispatchCommand : public Command
{
  public:
    KvDispatchCommand()
        : Command({"kv-dispatch",
                   "Compute the share of memory that KV-Direct's DRAM should cache, as JSON",
                   "  rocelab kv-dispatch --throughput 0.5,1,2 --memory 0.0625",
                   80})
    {
    }

    void AddOptions(CLI::App& command) override;
    int Run(const CommandContext& context) override;

  private:
    Json MakeRow(double throughput, double memory) const;

    std::vector<double> m_throughputRatios{12.8 / 13.2}; ///< DRAM over PCIe: KV-Direct's board.
    std::vector<double> m_memoryRatios{1.0 / 16};        ///< DRAM over host memory: 4 of 64 GiB.
    double m_keys{1e9}; ///< Of a long-tail distribution; 0: uniform.
};

void
KvDispatchCommand::AddOptions(CLI::App& command)
{
    constexpr double MIN_RATIO{1e-6};
    constexpr double MAX_RATIO{1e3};
    constexpr double MAX_KEYS{1e15};
    command.add_option("--throughput", m_throughputRatios, "Throughput of DRAM over PCIe: A,B,...")
        ->delimiter(',')
        ->check(CLI::Range(MIN_RATIO, MAX_RATIO))
        ->capture_default_str();
    command.add_option("--memory", m_memoryRatios, "Size of DRAM over host memory: A,B,...")
        ->delimiter(',')
        ->check(CLI::Range(MIN_RATIO, 1.0))
        ->capture_default_str();
    command.add_option("--keys", m_keys, "Number of pairs of a long tail; 0: uniform popularity")
        ->check(CLI::Range(0.0, MAX_KEYS))
        ->capture_default_str();
}

Json
KvDispatchCommand::MakeRow(double throughput, double memory) const
{
    KvLoadDispatch dispatch;
    dispatch.throughputRatio = throughput;
    dispatch.memoryRatio = memory;
    if (m_keys > 0)
    {
        dispatch.keys = m_keys;
    }
    if (m_keys > 0 && m_keys * memory <= 1)
    {
        throw InputError("kv-dispatch: --keys: expected more than one pair in the DRAM, "
                         "or 0, got " +
                         std::to_string(m_keys));
    }
    const double share = dispatch.FindShare();
    const double rate = dispatch.GetThroughput(share);
    const double divided = dispatch.GetPartitionedThroughput();
    return {{"throughputRatio", throughput},
            {"memoryRatio", memory},
            {"share", share},
            {"hitShare", dispatch.GetHitProbability(share)},
            {"throughput", rate},
            {"partitionedThroughput", divided},
            {"relativeThroughput", rate / divided}};
}

int
KvDispatchCommand::Run(const CommandContext&)
{
    Json rows = Json::array();
    for (const double throughput : m_throughputRatios)
    {
        for (const double memory : m_memoryRatios)
        {
            rows.push_back(MakeRow(throughput, memory));
        }
    }
    std::cout << rows.dump(2) << '\n';
    return EXIT_GOOD;
}

const RegisteredCommand<KvDispatchCommand> REGISTERED;

} // namespace

} // namespace ns3::rdma
