// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_TCP_COMMAND_H
#define RDMA_TCP_COMMAND_H

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// What the user gave to "rocelab tcp".
struct TcpCommandOptions
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

/// Adds "tcp" with its options. @return the command
CLI::App* AddTcpCommand(CLI::App& app, TcpCommandOptions& options);

/// Measures kernel TCP. @return an ExitStatus @throws InputError
int TcpCommand(const TcpCommandOptions& command);

} // namespace ns3::rdma

#endif // RDMA_TCP_COMMAND_H
