// SPDX-License-Identifier: GPL-2.0-only

#include "../command.h"
#include "../kernel-options.h"
#include "../option-checks.h"

#include "ns3/exact-quantity.h"
#include "ns3/exit-status.h"
#include "ns3/input-error.h"
#include "ns3/kernel-tcp.h"
#include "ns3/quantity.h"

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <nlohmann/json.hpp>

namespace ns3::rdma
{

namespace
{

using Json = nlohmann::ordered_json;

/// Values of the options.
struct TcpOptions
{
    std::string test;
    std::string size;
    std::string rate{"100Gbps"};
    uint32_t connections{1};
    uint32_t threads{1};
    uint32_t depth{128};
    uint32_t burst{128};
    uint32_t mtu{1500};
    std::optional<uint64_t> messages;
    std::vector<std::string> settings;
    bool hasJson{false};
};

constexpr uint64_t MAX_SIZE{uint64_t{1} << 30U};
constexpr uint32_t LATENCY_SIZE{64};
constexpr uint32_t BANDWIDTH_SIZE{65536};
constexpr int NAME_WIDTH{28};

// Enough for a steady state, few enough for seconds.
constexpr uint64_t USUAL_BYTES{uint64_t{64} << 20U};
constexpr uint64_t FEWEST_MESSAGES{2000};
constexpr uint64_t MOST_MESSAGES{400'000};
constexpr uint64_t TURNS_PER_CONNECTION{2};

uint64_t
GetUsualMessages(const KernelTcpLoad& load)
{
    const uint64_t messages =
        std::clamp(USUAL_BYTES / load.messageBytes, FEWEST_MESSAGES, MOST_MESSAGES);
    return std::max(messages, TURNS_PER_CONNECTION * load.burst * load.connections);
}

/// Simulated time has an end.
void
CheckDuration(const TcpOptions& options, const KernelTcpLoad& load)
{
    constexpr double BITS{8};
    const uint64_t messages = options.test == "lat" ? 1 : load.messages;
    const double bits =
        BITS * static_cast<double>(messages) * static_cast<double>(load.messageBytes);
    if (bits / static_cast<double>(load.rate.GetBitRate()) > static_cast<double>(MAX_SECONDS))
    {
        throw InputError("tcp: --rate: expected a rate at which the messages take at most " +
                         std::to_string(MAX_SECONDS) + " s, got " + options.rate);
    }
}

KernelTcpLoad
MakeLoad(const TcpOptions& options)
{
    KernelTcpLoad load;
    load.messageBytes = ReadMessageBytes("tcp",
                                         options.size,
                                         options.test == "lat" ? LATENCY_SIZE : BANDWIDTH_SIZE,
                                         MAX_SIZE,
                                         "2^30");
    load.connections = options.connections;
    load.threads = options.threads;
    load.depth = options.depth;
    load.burst = options.burst;
    load.rate = ReadLinkRate("tcp", options.rate);
    load.mtu = options.mtu;
    load.messages = options.messages.value_or(GetUsualMessages(load));
    CheckDuration(options, load);
    return load;
}

Json
MakeHead(const TcpOptions& options, const KernelTcpLoad& load)
{
    return {{"test", options.test},
            {"size", load.messageBytes},
            {"connections", load.connections},
            {"threads", load.threads},
            {"depth", load.depth},
            {"burst", load.burst},
            {"messages", load.messages},
            {"rate", options.rate},
            {"mtu", load.mtu},
            {"set", options.settings}};
}

std::ostream&
WriteName(const std::string& name)
{
    return std::cout << std::left << std::setw(NAME_WIDTH) << name << std::fixed
                     << std::setprecision(3);
}

void
WriteLoad(const KernelTcpLoad& load)
{
    std::cout << "Kernel TCP, " << load.messageBytes << " bytes, " << load.connections
              << " connections, " << load.threads << " threads, " << FormatRate(load.rate)
              << ", MTU " << load.mtu << '\n';
}

void
MeasureBandwidth(const TcpOptions& options, const KernelTcp& model, const KernelTcpLoad& load)
{
    const KernelTcpBandwidth result = model.MeasureBandwidth(load);
    if (options.hasJson)
    {
        Json json = MakeHead(options, load);
        json["goodput_gbps"] = result.goodput;
        json["wire_gbps"] = result.wire;
        json["message_rate_mpps"] = result.messages;
        json["messages_per_segment"] = result.perSegment;
        json["sender_cpu"] = result.senderCpu;
        json["receiver_cpu"] = result.receiverCpu;
        std::cout << json.dump(2) << '\n';
        return;
    }
    WriteLoad(load);
    WriteName("goodput [Gb/s]") << result.goodput << '\n';
    WriteName("on the wire [Gb/s]") << result.wire << '\n';
    WriteName("messages [M/s]") << result.messages << '\n';
    WriteName("messages per segment") << result.perSegment << '\n';
    WriteName("sender's cores busy") << result.senderCpu << '\n';
    WriteName("receiver's cores busy") << result.receiverCpu << '\n';
}

void
MeasureLatency(const TcpOptions& options, const KernelTcp& model, const KernelTcpLoad& load)
{
    constexpr double TICKS_PER_US{1e6};
    const std::vector<KernelTcpStep> steps = model.MeasureLatency(load);
    Tick sum = 0;
    Tick work = 0;
    Json list = Json::array();
    for (const KernelTcpStep& step : steps)
    {
        sum += step.duration;
        work += step.isWork ? step.duration : 0;
        list.push_back({{"name", step.name},
                        {"us", static_cast<double>(step.duration) / TICKS_PER_US},
                        {"is_work", step.isWork}});
    }
    const double latency = static_cast<double>(sum) / TICKS_PER_US;
    // In a round trip a host sends once and receives once.
    const double cpu = static_cast<double>(work) / static_cast<double>(2 * sum);
    if (options.hasJson)
    {
        Json json = MakeHead(options, load);
        json["latency_us"] = latency;
        json["sender_cpu"] = cpu;
        json["receiver_cpu"] = cpu;
        json["steps"] = list;
        std::cout << json.dump(2) << '\n';
        return;
    }
    WriteLoad(load);
    for (const Json& step : list)
    {
        WriteName(step["name"].get<std::string>() + " [us]") << step["us"].get<double>() << '\n';
    }
    WriteName("latency [us]") << latency << '\n';
    WriteName("core busy") << cpu << '\n';
}

/// Measures kernel TCP and prints the results.
class TcpCommand : public Command
{
  public:
    TcpCommand()
        : Command({"tcp",
                   "Measure kernel TCP, for comparison",
                   "  rocelab tcp bw -s 65536\n"
                   "  rocelab tcp lat -s 64",
                   50})
    {
    }

    void AddOptions(CLI::App& command) override;
    void CheckOptions(const CLI::App& command) const override;
    int Run(const CommandContext& context) override;

  private:
    TcpOptions m_options;
};

void
TcpCommand::AddOptions(CLI::App& command)
{
    constexpr int MILLION{1'000'000};
    command.add_option("test", m_options.test, "Test: bw or lat (docs/models/host.md)")
        ->required()
        ->check(CLI::IsMember({"bw", "lat"}));
    command.add_option("-s,--size", m_options.size, "Size of a message, bytes (65536; lat: 64)");
    command
        .add_option("--connections",
                    m_options.connections,
                    "Connections of all threads together (bw)")
        ->check(CLI::Range(1, MILLION))
        ->capture_default_str();
    command
        .add_option("--threads",
                    m_options.threads,
                    "Threads at each end, each on its own core (bw)")
        ->check(CLI::Range(1, 1024))
        ->capture_default_str();
    command.add_option("--rate", m_options.rate, "Rate of the link")->capture_default_str();
    command.add_option("--mtu", m_options.mtu, "MTU of the link, bytes, 576 to 9000")
        ->check(CLI::Range(576, 9000))
        ->capture_default_str();
    command.add_option("--depth", m_options.depth, "Messages of a connection in flight (bw)")
        ->check(CLI::Range(1, MILLION))
        ->capture_default_str();
    command
        .add_option("--burst", m_options.burst, "Messages written before the next connection (bw)")
        ->check(CLI::Range(1, MILLION))
        ->capture_default_str();
    command
        .add_option("--messages", m_options.messages, "Messages of all connections together (bw)")
        ->check(CLI::Range(100, 100 * MILLION));
    command
        .add_option("--set", m_options.settings, "Attribute of KernelTcp, NAME=VALUE (repeatable)")
        ->allow_extra_args(false);
    command.add_flag("--json", m_options.hasJson, "Results as JSON instead of a table");
}

void
TcpCommand::CheckOptions(const CLI::App& command) const
{
    if (m_options.test == "lat")
    {
        RefuseOptions(command,
                      {"--connections", "--threads", "--depth", "--burst", "--messages"},
                      "the test bw");
    }
}

int
TcpCommand::Run(const CommandContext&)
{
    const KernelTcpLoad load = MakeLoad(m_options);
    const auto model = CreateObject<KernelTcp>();
    ApplySettings("tcp", m_options.settings, {model});
    if (m_options.test == "lat")
    {
        MeasureLatency(m_options, *model, load);
    }
    else
    {
        MeasureBandwidth(m_options, *model, load);
    }
    return EXIT_GOOD;
}

const RegisteredCommand<TcpCommand> REGISTERED;

} // namespace

} // namespace ns3::rdma
