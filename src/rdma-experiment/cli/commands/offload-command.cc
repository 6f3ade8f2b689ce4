// SPDX-License-Identifier: GPL-2.0-only

#include "../command.h"

#include "ns3/exit-status.h"
#include "ns3/offload-run.h"

#include <iomanip>
#include <iostream>

namespace ns3::rdma
{

namespace
{

using Json = nlohmann::ordered_json;

constexpr int NAME_WIDTH{36};

/// @return Gb/s of the values requested.
double
GetGoodput(const OffloadResult& result)
{
    constexpr double BITS_PER_PS_IN_GBPS{8e3};
    return result.duration == 0 ? 0
                                : static_cast<double>(result.bytes) * BITS_PER_PS_IN_GBPS /
                                      static_cast<double>(result.duration);
}

Json
DescribeShare(const WireShare& share)
{
    return {{"frames", share.frames}, {"bytes", share.bytes}};
}

Json
DescribeKernels(const KernelStats& stats)
{
    using Kind = KernelCommand::Kind;
    const auto count = [&stats](Kind kind) {
        return stats.commands[static_cast<std::size_t>(kind)];
    };
    return {{"inputs", stats.inputs},
            {"inputBytes", stats.inputBytes},
            {"hostReads", count(Kind::READ_HOST)},
            {"hostWrites", count(Kind::WRITE_HOST)},
            {"sends", count(Kind::SEND_WRITE)},
            {"stalls", stats.stalls},
            {"drops", stats.drops},
            {"faults", stats.faults}};
}

Json
MakeJson(const OffloadRun& run, const OffloadResult& result)
{
    Json json = run.Describe();
    const LatencySummary& latency = result.latency;
    json["latency_us"] = {{"mean", latency.average},
                          {"min", latency.min},
                          {"p1", latency.p1},
                          {"p50", latency.typical},
                          {"p99", latency.p99},
                          {"max", latency.max}};
    json["duration_us"] = static_cast<double>(result.duration) / 1e6;
    json["bytes"] = result.bytes;
    json["goodput_gbps"] = GetGoodput(result);
    json["wire"] = {{"client", DescribeShare(result.client)},
                    {"server", DescribeShare(result.server)}};
    json["statuses"] = result.statuses;
    json["reconnections"] = result.reconnections;
    json["kernels"] = DescribeKernels(result.kernels);
    json["details"] = result.details;
    return json;
}

std::ostream&
WriteName(const std::string& name)
{
    return std::cout << std::left << std::setw(NAME_WIDTH) << name << std::fixed
                     << std::setprecision(3);
}

void
WriteTable(const Json& json)
{
    std::cout << json["task"].get<std::string>() << " by " << json["method"].get<std::string>()
              << ", " << json["nic"].get<std::string>() << " at " << json["rate"].get<std::string>()
              << ", " << json["calls"] << " calls, options " << json["options"].dump() << '\n';
    for (const auto& [name, value] : json["latency_us"].items())
    {
        WriteName("latency, " + name + " [us]") << value.get<double>() << '\n';
    }
    WriteName("goodput [Gb/s]") << json["goodput_gbps"].get<double>() << '\n';
    for (const char* end : {"client", "server"})
    {
        const Json& share = json["wire"][end];
        WriteName(std::string("sent by the ") + end)
            << share["frames"] << " frames, " << share["bytes"] << " bytes\n";
    }
    for (const auto& [status, calls] : json["statuses"].items())
    {
        WriteName("calls that ended " + status) << calls << '\n';
    }
    for (const char* part : {"kernels", "details"})
    {
        for (const auto& [name, value] : json[part].items())
        {
            WriteName((part == std::string("kernels") ? "kernels, " : "") + name) << value << '\n';
        }
    }
}

/// Runs an offload task and prints its results.
class OffloadCommand : public Command
{
  public:
    OffloadCommand()
        : Command({"offload",
                   "Measure a task on kernels of the NIC, or in software",
                   "  rocelab offload traversal -o length=32 --method kernel\n"
                   "  rocelab offload traversal -o length=32 --method read",
                   70})
    {
    }

    void AddOptions(CLI::App& command) override;
    int Run(const CommandContext& context) override;

  private:
    OffloadRequest m_request;
    bool m_hasJson{false}; ///< Instead of a table.
};

void
OffloadCommand::AddOptions(CLI::App& command)
{
    constexpr uint32_t MAX_CALLS{10'000'000};
    command.add_option("task", m_request.task, "Task: traversal, get, ... (docs/study/offload.md)")
        ->required();
    command.add_option("--method",
                       m_request.method,
                       "Method: kernel, read, write, tcp, cpu, host or gpu (the task's first)");
    command.add_option("--nic", m_request.nic, "NIC preset of both hosts")->capture_default_str();
    command
        .add_option("-o,--option", m_request.options, "Option of the task, NAME=VALUE (repeatable)")
        ->allow_extra_args(false);
    command.add_option("-n,--iterations", m_request.calls, "Number of calls (the task's default)")
        ->check(CLI::Range(1U, MAX_CALLS));
    command.add_option("--seed", m_request.seed, "Random seed")
        ->check(CLI::Range(uint64_t{0}, uint64_t{UINT32_MAX}))
        ->capture_default_str();
    command.add_option("--rate",
                       m_request.rate,
                       "Rate of the cable (10Gbps: strom10g; else 100Gbps)");
    command.add_option("--delay", m_request.delay, "Delay of the cable")->capture_default_str();
    command.add_option("-m,--mtu", m_request.mtu, "Path MTU, bytes of payload")
        ->check(CLI::Range(256, 4096))
        ->capture_default_str();
    command.add_option("--loss", m_request.lossRate, "Loss probability of each packet")
        ->capture_default_str();
    command.add_option("--set", m_request.settings, "Attribute, NAME=VALUE (repeatable)")
        ->allow_extra_args(false);
    command.add_option("--pcap", m_request.pcap, "Capture file of the client's port");
    command.add_flag("--json", m_hasJson, "Results as JSON instead of a table");
}

int
OffloadCommand::Run(const CommandContext&)
{
    OffloadRun run(m_request);
    OffloadResult result;
    try
    {
        result = run.Run();
    }
    catch (const OffloadFailure& failure)
    {
        std::cerr << "rocelab: offload: " << failure.what() << '\n';
        return EXIT_STALLED;
    }
    const Json json = MakeJson(run, result);
    if (m_hasJson)
    {
        std::cout << json.dump(2) << '\n';
    }
    else
    {
        WriteTable(json);
    }
    return EXIT_GOOD;
}

const RegisteredCommand<OffloadCommand> REGISTERED;

} // namespace

} // namespace ns3::rdma
