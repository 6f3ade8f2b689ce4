// SPDX-License-Identifier: GPL-2.0-only

#include "tcp-command.h"

#include "kernel-options.h"
#include "option-checks.h"

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
CheckDuration(const TcpCommandOptions& command, const KernelTcpLoad& load)
{
    constexpr double BITS{8};
    const uint64_t messages = command.test == "lat" ? 1 : load.messages;
    const double bits =
        BITS * static_cast<double>(messages) * static_cast<double>(load.messageBytes);
    if (bits / static_cast<double>(load.rate.GetBitRate()) > static_cast<double>(MAX_SECONDS))
    {
        throw InputError("tcp: --rate: expected a rate at which the messages take at most " +
                         std::to_string(MAX_SECONDS) + " s, got " + command.rate);
    }
}

KernelTcpLoad
MakeLoad(const TcpCommandOptions& command)
{
    KernelTcpLoad load;
    load.messageBytes = ReadMessageBytes("tcp",
                                         command.size,
                                         command.test == "lat" ? LATENCY_SIZE : BANDWIDTH_SIZE,
                                         MAX_SIZE,
                                         "2^30");
    load.connections = command.connections;
    load.threads = command.threads;
    load.depth = command.depth;
    load.burst = command.burst;
    load.rate = ReadLinkRate("tcp", command.rate);
    load.mtu = command.mtu;
    load.messages = command.messages.value_or(GetUsualMessages(load));
    CheckDuration(command, load);
    return load;
}

Json
MakeHead(const TcpCommandOptions& command, const KernelTcpLoad& load)
{
    return {{"test", command.test},
            {"size", load.messageBytes},
            {"connections", load.connections},
            {"threads", load.threads},
            {"depth", load.depth},
            {"burst", load.burst},
            {"messages", load.messages},
            {"rate", command.rate},
            {"mtu", load.mtu},
            {"set", command.settings}};
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
MeasureBandwidth(const TcpCommandOptions& command,
                 const KernelTcp& model,
                 const KernelTcpLoad& load)
{
    const KernelTcpBandwidth result = model.MeasureBandwidth(load);
    if (command.hasJson)
    {
        Json json = MakeHead(command, load);
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
MeasureLatency(const TcpCommandOptions& command, const KernelTcp& model, const KernelTcpLoad& load)
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
    if (command.hasJson)
    {
        Json json = MakeHead(command, load);
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

} // namespace

CLI::App*
AddTcpCommand(CLI::App& app, TcpCommandOptions& options)
{
    constexpr int MILLION{1'000'000};
    CLI::App* command = app.add_subcommand("tcp", "What kernel TCP would do, for comparison");
    command->add_option("test", options.test, "bw or lat: see docs/host.md")
        ->required()
        ->check(CLI::IsMember({"bw", "lat"}));
    command->add_option("-s,--size", options.size, "Bytes per message (65536; lat: 64)");
    command->add_option("--connections", options.connections, "Of all threads (bw)")
        ->check(CLI::Range(1, MILLION))
        ->capture_default_str();
    command->add_option("--threads", options.threads, "At each end, a core each (bw)")
        ->check(CLI::Range(1, 1024))
        ->capture_default_str();
    command->add_option("--rate", options.rate, "Of the link")->capture_default_str();
    command->add_option("--mtu", options.mtu, "Of the link, 576 to 9000")
        ->check(CLI::Range(576, 9000))
        ->capture_default_str();
    command->add_option("--depth", options.depth, "Messages of a connection under way (bw)")
        ->check(CLI::Range(1, MILLION))
        ->capture_default_str();
    command
        ->add_option("--burst", options.burst, "Messages written before the next connection (bw)")
        ->check(CLI::Range(1, MILLION))
        ->capture_default_str();
    command->add_option("--messages", options.messages, "Of all connections (bw)")
        ->check(CLI::Range(100, 100 * MILLION));
    command->add_option("--set", options.settings, "ATTRIBUTE=VALUE of KernelTcp (repeatable)")
        ->allow_extra_args(false);
    command->add_flag("--json", options.hasJson, "Results as JSON instead of a table");
    command->final_callback([command, &options] {
        if (options.test == "lat")
        {
            RefuseOptions(*command,
                          {"--connections", "--threads", "--depth", "--burst", "--messages"},
                          "the test bw");
        }
    });
    return command;
}

int
TcpCommand(const TcpCommandOptions& command)
{
    const KernelTcpLoad load = MakeLoad(command);
    const auto model = CreateObject<KernelTcp>();
    ApplySettings("tcp", command.settings, {model});
    if (command.test == "lat")
    {
        MeasureLatency(command, *model, load);
    }
    else
    {
        MeasureBandwidth(command, *model, load);
    }
    return EXIT_GOOD;
}

} // namespace ns3::rdma
