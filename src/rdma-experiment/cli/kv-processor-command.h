// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_KV_PROCESSOR_COMMAND_H
#define RDMA_KV_PROCESSOR_COMMAND_H

#include "ns3/kv-processor-run.h"

#include <CLI/CLI.hpp>

namespace ns3::rdma
{

/// What the user said to "rocelab kv-processor".
struct KvProcessorCommandOptions
{
    KvProcessorRequest request;
    bool hasJson{false}; ///< Instead of a table.
};

/// Adds "kv-processor" with its options. @param options outlive the command line
/// @return the command
CLI::App* AddKvProcessorCommand(CLI::App& app, KvProcessorCommandOptions& options);

/// Runs a KV processor by itself and prints its results. @return an ExitStatus @throws InputError
int KvProcessorCommand(const KvProcessorCommandOptions& said);

} // namespace ns3::rdma

#endif // RDMA_KV_PROCESSOR_COMMAND_H
