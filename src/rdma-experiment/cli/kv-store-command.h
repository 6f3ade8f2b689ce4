// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_KV_STORE_COMMAND_H
#define RDMA_KV_STORE_COMMAND_H

#include "ns3/kv-store-run.h"
#include "ns3/slab-run.h"

#include <CLI/CLI.hpp>

namespace ns3::rdma
{

/// What the user said to "rocelab kv-store".
struct KvStoreCommandOptions
{
    KvStoreRequest request;
    bool hasJson{false}; ///< Instead of a table.
};

/// What the user said to "rocelab kv-slabs".
struct KvSlabsCommandOptions
{
    SlabRunRequest request;
    SlabMergeRequest merge; ///< With the pattern "merge".
    bool hasJson{false};
};

/// Adds the command with its options. @param options outlive the command line @return the command
CLI::App* AddKvStoreCommand(CLI::App& app, KvStoreCommandOptions& options);
CLI::App* AddKvSlabsCommand(CLI::App& app, KvSlabsCommandOptions& options);

/// Runs it and prints the results. @return an ExitStatus @throws InputError
int KvStoreCommand(const KvStoreCommandOptions& said);
int KvSlabsCommand(const KvSlabsCommandOptions& said);

} // namespace ns3::rdma

#endif // RDMA_KV_STORE_COMMAND_H
