// SPDX-License-Identifier: GPL-2.0-only

#include "../command.h"

#include "ns3/exit-status.h"
#include "ns3/kv-dma-run.h"

#include <iostream>
#include <nlohmann/json.hpp>

namespace ns3::rdma
{

namespace
{

/// Measures DMA and prints the results as JSON.
class KvDmaCommand : public Command
{
  public:
    KvDmaCommand()
        : Command({"kv-dma",
                   "Measure random PCIe accesses of KV-Direct's NIC, as JSON",
                   "  rocelab kv-dma --bytes 64                        random reads over PCIe\n"
                   "  rocelab kv-dma --bytes 64 --cores 4              gathered by four cores",
                   90})
    {
    }

    void AddOptions(CLI::App& command) override;
    int Run(const CommandContext& context) override;

  private:
    KvDmaRequest m_request;
};

void
KvDmaCommand::AddOptions(CLI::App& command)
{
    constexpr uint64_t MAX_ACCESSES{100'000'000};
    constexpr uint64_t MAX_REQUEST_RATE{1'000'000'000'000};
    command.add_option("--bytes", m_request.bytes, "Size of each access, bytes")
        ->check(CLI::Range(1, 4096))
        ->capture_default_str();
    CLI::Option* const writes =
        command.add_flag("--write", m_request.isWrite, "Writes instead of reads");
    command.add_flag("--mixed", m_request.isMixed, "Reads and writes in turn")->excludes(writes);
    command.add_flag("--cached", m_request.isCached, "Data in the host's cache");
    command.add_option("--outstanding", m_request.outstanding, "Accesses in flight")
        ->check(CLI::Range(1, 65536))
        ->capture_default_str();
    command.add_option("--cores", m_request.cores, "Cores that gather reads for the NIC (none)")
        ->check(CLI::Range(1, 64))
        ->excludes("--write")
        ->excludes("--mixed");
    command
        .add_option("--request-rate",
                    m_request.requestRate,
                    "DMA reads and writes together per second; 0: no limit")
        ->check(CLI::Range(uint64_t{0}, MAX_REQUEST_RATE))
        ->capture_default_str();
    command.add_option("-n,--accesses", m_request.accesses, "Measured accesses")
        ->check(CLI::Range(uint64_t{1}, MAX_ACCESSES))
        ->capture_default_str();
    command.add_option("--seed", m_request.seed, "Random seed")
        ->check(CLI::Range(uint64_t{0}, uint64_t{UINT32_MAX}))
        ->capture_default_str();
}

int
KvDmaCommand::Run(const CommandContext&)
{
    const KvDmaResult result = KvDmaRun(m_request).Run();
    constexpr double PS_PER_US{1e6};
    const double microseconds = static_cast<double>(result.duration) / PS_PER_US;
    nlohmann::ordered_json json;
    json["accesses"] = result.accesses;
    json["bytes"] = m_request.bytes;
    json["duration_us"] = microseconds;
    json["mops"] = static_cast<double>(result.accesses) / microseconds;
    json["GBps"] = static_cast<double>(result.accesses) * m_request.bytes / microseconds / 1e3;
    json["latency_us"] = {{"mean", result.latency.average},
                          {"min", result.latency.min},
                          {"p50", result.latency.typical},
                          {"p99", result.latency.p99},
                          {"max", result.latency.max}};
    json["percentiles_us"] = result.percentiles;
    std::cout << json.dump(2) << '\n';
    return EXIT_GOOD;
}

const RegisteredCommand<KvDmaCommand> REGISTERED;

} // namespace

} // namespace ns3::rdma
