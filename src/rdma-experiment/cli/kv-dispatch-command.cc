// SPDX-License-Identifier: GPL-2.0-only

#include "kv-dispatch-command.h"

#include "ns3/exit-status.h"
#include "ns3/input-error.h"
#include "ns3/kv-load-dispatch.h"

#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

namespace ns3::rdma
{

CLI::App*
AddKvDispatchCommand(CLI::App& app, KvDispatchRequest& request)
{
    constexpr double MIN_RATIO{1e-6};
    constexpr double MAX_RATIO{1e3};
    constexpr double MAX_KEYS{1e15};
    CLI::App* command = app.add_subcommand(
        "kv-dispatch",
        "Share of memory that KV-Direct's DRAM should cache, by the formula, as JSON");
    command->add_option("--throughput", request.throughputRatios, "DRAM over PCIe: A,B,...")
        ->delimiter(',')
        ->check(CLI::Range(MIN_RATIO, MAX_RATIO))
        ->capture_default_str();
    command->add_option("--memory", request.memoryRatios, "DRAM over host memory: A,B,...")
        ->delimiter(',')
        ->check(CLI::Range(MIN_RATIO, 1.0))
        ->capture_default_str();
    command->add_option("--keys", request.keys, "Pairs of a long tail; 0: all are alike")
        ->check(CLI::Range(0.0, MAX_KEYS))
        ->capture_default_str();
    return command;
}

int
KvDispatchCommand(const KvDispatchRequest& request)
{
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const double throughput : request.throughputRatios)
    {
        for (const double memory : request.memoryRatios)
        {
            KvLoadDispatch dispatch;
            dispatch.throughputRatio = throughput;
            dispatch.memoryRatio = memory;
            if (request.keys > 0)
            {
                dispatch.keys = request.keys;
            }
            if (request.keys > 0 && request.keys * memory <= 1)
            {
                throw InputError("kv-dispatch: --keys: expected more than one pair in the DRAM, "
                                 "or 0, got " +
                                 std::to_string(request.keys));
            }
            const double share = dispatch.FindShare();
            const double rate = dispatch.GetThroughput(share);
            const double divided = dispatch.GetPartitionedThroughput();
            rows.push_back({{"throughputRatio", throughput},
                            {"memoryRatio", memory},
                            {"share", share},
                            {"hitShare", dispatch.GetHitProbability(share)},
                            {"throughput", rate},
                            {"partitionedThroughput", divided},
                            {"relativeThroughput", rate / divided}});
        }
    }
    std::cout << rows.dump(2) << '\n';
    return EXIT_GOOD;
}

} // namespace ns3::rdma
