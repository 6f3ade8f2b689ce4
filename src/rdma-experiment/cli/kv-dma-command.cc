// SPDX-License-Identifier: GPL-2.0-only

#include "kv-dma-command.h"

#include "ns3/exit-status.h"

#include <iostream>
#include <nlohmann/json.hpp>

namespace ns3::rdma
{

CLI::App*
AddKvDmaCommand(CLI::App& app, KvDmaRequest& request)
{
    constexpr uint64_t MAX_ACCESSES{100'000'000};
    constexpr uint64_t MAX_REQUEST_RATE{1'000'000'000'000};
    CLI::App* command =
        app.add_subcommand("kv-dma", "Random PCIe accesses of KV-Direct's NIC, as JSON");
    command->add_option("--bytes", request.bytes, "Of each access")
        ->check(CLI::Range(1, 4096))
        ->capture_default_str();
    CLI::Option* const writes =
        command->add_flag("--write", request.isWrite, "Writes instead of reads");
    command->add_flag("--mixed", request.isMixed, "Reads and writes in turn")->excludes(writes);
    command->add_flag("--cached", request.isCached, "The host's cache has the data");
    command->add_option("--outstanding", request.outstanding, "Accesses at a time")
        ->check(CLI::Range(1, 65536))
        ->capture_default_str();
    command->add_option("--cores", request.cores, "That gather reads for the NIC (none)")
        ->check(CLI::Range(1, 64))
        ->excludes("--write")
        ->excludes("--mixed");
    command
        ->add_option("--request-rate",
                     request.requestRate,
                     "DMA reads and writes together per second; 0: no limit")
        ->check(CLI::Range(uint64_t{0}, MAX_REQUEST_RATE))
        ->capture_default_str();
    command->add_option("-n,--accesses", request.accesses, "That are measured")
        ->check(CLI::Range(uint64_t{1}, MAX_ACCESSES))
        ->capture_default_str();
    command->add_option("--seed", request.seed, "Of the run")
        ->check(CLI::Range(uint64_t{0}, uint64_t{UINT32_MAX}))
        ->capture_default_str();
    return command;
}

int
KvDmaCommand(const KvDmaRequest& request)
{
    const KvDmaResult result = KvDmaRun(request).Run();
    constexpr double PS_PER_US{1e6};
    const double microseconds = static_cast<double>(result.duration) / PS_PER_US;
    nlohmann::ordered_json json;
    json["accesses"] = result.accesses;
    json["bytes"] = request.bytes;
    json["duration_us"] = microseconds;
    json["mops"] = static_cast<double>(result.accesses) / microseconds;
    json["GBps"] = static_cast<double>(result.accesses) * request.bytes / microseconds / 1e3;
    json["latency_us"] = {{"mean", result.latency.average},
                          {"min", result.latency.min},
                          {"p50", result.latency.typical},
                          {"p99", result.latency.p99},
                          {"max", result.latency.max}};
    json["percentiles_us"] = result.percentiles;
    std::cout << json.dump(2) << '\n';
    return EXIT_GOOD;
}

} // namespace ns3::rdma
