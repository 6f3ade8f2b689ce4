// SPDX-License-Identifier: GPL-2.0-only

#include "../command.h"
#include "../kernel-options.h"

#include "ns3/exit-status.h"
#include "ns3/kernel-udp.h"
#include "ns3/quantity.h"

#include <cstdint>
#include <iomanip>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

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

/// Measures kernel UDP and prints the results.
class UdpCommand : public Command
{
  public:
    UdpCommand()
        : Command({"udp", "Measure kernel UDP, for comparison", "  rocelab udp bw -s 9000", 60})
    {
    }

    void AddOptions(CLI::App& command) override;
    int Run(const CommandContext& context) override;

  private:
    std::string m_test;
    std::string m_size;
    std::string m_rate{"100Gbps"};
    uint32_t m_mtu{9000};
    uint64_t m_datagrams{20'000};
    std::vector<std::string> m_settings;
    bool m_hasJson{false};
};

void
UdpCommand::AddOptions(CLI::App& command)
{
    command.add_option("test", m_test, "Test: bw (docs/models/host.md)")
        ->required()
        ->check(CLI::IsMember({"bw"}));
    command.add_option("-s,--size", m_size, "Size of a datagram, bytes (8972: one packet)");
    command.add_option("--rate", m_rate, "Rate of the link")->capture_default_str();
    command.add_option("--mtu", m_mtu, "MTU of the link, bytes, 576 to 9000")
        ->check(CLI::Range(576, 9000))
        ->capture_default_str();
    command.add_option("--datagrams", m_datagrams, "Number of datagrams")
        ->check(CLI::Range(100, 10'000'000))
        ->capture_default_str();
    command
        .add_option(
            "--set",
            m_settings,
            "Attribute of KernelUdp, NAME=VALUE, or of ns3::rdma::KernelTcp by its full name "
            "(repeatable)")
        ->allow_extra_args(false);
    command.add_flag("--json", m_hasJson, "Results as JSON instead of a table");
}

int
UdpCommand::Run(const CommandContext&)
{
    KernelUdpLoad load;
    load.datagramBytes =
        static_cast<uint32_t>(ReadMessageBytes("udp",
                                               m_size,
                                               load.datagramBytes,
                                               KernelUdpLoad::MAX_BYTES,
                                               std::to_string(KernelUdpLoad::MAX_BYTES)));
    load.rate = ReadLinkRate("udp", m_rate);
    load.mtu = m_mtu;
    load.datagrams = m_datagrams;
    const auto stack = CreateObject<KernelTcp>();
    const auto model = CreateObject<KernelUdp>();
    ApplySettings("udp", m_settings, {model, stack});
    const KernelUdpBandwidth result = model->MeasureBandwidth(*stack, load);
    if (!m_hasJson)
    {
        WriteUdpTable(load, result);
        return EXIT_GOOD;
    }
    const nlohmann::ordered_json json{{"test", m_test},
                                      {"size", load.datagramBytes},
                                      {"datagrams", load.datagrams},
                                      {"rate", m_rate},
                                      {"mtu", load.mtu},
                                      {"set", m_settings},
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

const RegisteredCommand<UdpCommand> REGISTERED;

} // namespace

} // namespace ns3::rdma
