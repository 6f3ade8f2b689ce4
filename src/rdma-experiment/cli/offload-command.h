// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_OFFLOAD_COMMAND_H
#define RDMA_OFFLOAD_COMMAND_H

#include "ns3/offload-run.h"

#include <CLI/CLI.hpp>

namespace ns3::rdma
{

/// What the user said to "rocelab offload".
struct OffloadCommandOptions
{
    OffloadRequest request;
    bool hasJson{false}; ///< Instead of a table.
};

/// Adds "offload" with its options. @param options outlive the command line @return the command
CLI::App* AddOffloadCommand(CLI::App& app, OffloadCommandOptions& options);

/// Runs an offload task and prints its results. @return an ExitStatus @throws InputError
int OffloadCommand(const OffloadCommandOptions& said);

} // namespace ns3::rdma

#endif // RDMA_OFFLOAD_COMMAND_H
