// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_KV_DISPATCH_COMMAND_H
#define RDMA_KV_DISPATCH_COMMAND_H

#include <CLI/CLI.hpp>
#include <vector>

namespace ns3::rdma
{

/// The arguments of "rocelab kv-dispatch": a row is printed for each pair of ratios.
struct KvDispatchRequest
{
    std::vector<double> throughputRatios{12.8 / 13.2}; ///< DRAM over PCIe: KV-Direct's board.
    std::vector<double> memoryRatios{1.0 / 16};        ///< DRAM over host memory: 4 of 64 GiB.
    double keys{1e9};                                  ///< Under a long tail; 0: all are alike.
};

/// Adds "kv-dispatch" with its options. @param request outlives the command line
/// @return the command
CLI::App* AddKvDispatchCommand(CLI::App& app, KvDispatchRequest& request);

/// Prints what KvLoadDispatch says of each pair of ratios, as JSON. @return an ExitStatus
/// @throws InputError if there are too few keys for a memory ratio
int KvDispatchCommand(const KvDispatchRequest& request);

} // namespace ns3::rdma

#endif // RDMA_KV_DISPATCH_COMMAND_H
