// SPDX-License-Identifier: GPL-2.0-only

#include "udp-command.h"

#include "kernel-options.h"

#include "ns3/exit-status.h"
#include "ns3/kernel-udp.h"
#include "ns3/quantity.h"

#include <iomanip>
#include <iostream>
#include <nlohmann/json.hpp>

namespace ns3::rdma
{

namespace
{

void
WriteUdpLine(const std::string& name, double value)
{
    constexpr int NAME_WIDTH{28};
    std::cout << std::left << std::setw(NAME_WIDTH) << name << std::fixed << std::setprecision(3)
              << value << '\n';
}

void
WriteUdpTable(const KernelUdpLoad& load, const KernelUdpBandwidth& result)
{
    std::cout << "Kernel UDP, " << load.datagramBytes << " bytes, " << result.fragments
              << (result.fragments == 1 ? " packet, " : " packets, ") << FormatRate(load.rate)
              << ", MTU " << load.mtu << '\n';
    WriteUdpLine("goodput [Gb/s]", result.goodput);
    WriteUdpLine("written [Gb/s]", result.offered);
    WriteUdpLine("lost", result.lost);
    WriteUdpLine("sender's core busy", result.senderCpu);
    WriteUdpLine("reader's core busy", result.readerCpu);
    WriteUdpLine("softirq's core busy", result.softirqCpu);
}

} // namespace

CLI::App*
AddUdpCommand(CLI::App& app, UdpCommandOptions& options)
{
    CLI::App* command = app.add_subcommand("udp", "What kernel UDP would do, for comparison");
    command->add_option("test", options.test, "bw: see docs/host.md")
        ->required()
        ->check(CLI::IsMember({"bw"}));
    command->add_option("-s,--size", options.size, "Bytes per datagram (8972: one packet)");
    command->add_option("--rate", options.rate, "Of the link")->capture_default_str();
    command->add_option("--mtu", options.mtu, "Of the link, 576 to 9000")
        ->check(CLI::Range(576, 9000))
        ->capture_default_str();
    command->add_option("--datagrams", options.datagrams, "How many")
        ->check(CLI::Range(100, 10'000'000))
        ->capture_default_str();
    command
        ->add_option("--set",
                     options.settings,
                     "ATTRIBUTE=VALUE of KernelUdp, or of ns3::rdma::KernelTcp by its full name "
                     "(repeatable)")
        ->allow_extra_args(false);
    command->add_flag("--json", options.hasJson, "Results as JSON instead of a table");
    return command;
}

int
UdpCommand(const UdpCommandOptions& command)
{
    KernelUdpLoad load;
    load.datagramBytes =
        static_cast<uint32_t>(ReadMessageBytes("udp",
                                               command.size,
                                               load.datagramBytes,
                                               KernelUdpLoad::MAX_BYTES,
                                               std::to_string(KernelUdpLoad::MAX_BYTES)));
    load.rate = ReadLinkRate("udp", command.rate);
    load.mtu = command.mtu;
    load.datagrams = command.datagrams;
    const auto stack = CreateObject<KernelTcp>();
    const auto model = CreateObject<KernelUdp>();
    ApplySettings("udp", command.settings, {model, stack});
    const KernelUdpBandwidth result = model->MeasureBandwidth(*stack, load);
    if (!command.hasJson)
    {
        WriteUdpTable(load, result);
        return EXIT_GOOD;
    }
    const nlohmann::ordered_json json{{"test", command.test},
                                      {"size", load.datagramBytes},
                                      {"datagrams", load.datagrams},
                                      {"rate", command.rate},
                                      {"mtu", load.mtu},
                                      {"set", command.settings},
                                      {"goodput_gbps", result.goodput},
                                      {"written_gbps", result.offered},
                                      {"lost", result.lost},
                                      {"fragments", result.fragments},
                                      {"wire_bytes", load.GetWireBytes()},
                                      {"sender_cpu", result.senderCpu},
                                      {"reader_cpu", result.readerCpu},
                                      {"softirq_cpu", result.softirqCpu}};
    std::cout << json.dump(2) << '\n';
    return EXIT_GOOD;
}

} // namespace ns3::rdma
