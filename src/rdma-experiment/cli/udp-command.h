// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_UDP_COMMAND_H
#define RDMA_UDP_COMMAND_H

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// What the user gave to "rocelab udp".
struct UdpCommandOptions
{
    std::string test;
    std::string size;
    std::string rate{"100Gbps"};
    uint32_t mtu{9000};
    uint64_t datagrams{20'000};
    std::vector<std::string> settings;
    bool hasJson{false};
};

/// Adds "udp" with its options. @return the command
CLI::App* AddUdpCommand(CLI::App& app, UdpCommandOptions& options);

/// Measures kernel UDP. @return an ExitStatus @throws InputError
int UdpCommand(const UdpCommandOptions& command);

} // namespace ns3::rdma

#endif // RDMA_UDP_COMMAND_H
