// SPDX-License-Identifier: GPL-2.0-only

#ifndef RDMA_KV_DMA_COMMAND_H
#define RDMA_KV_DMA_COMMAND_H

#include "ns3/kv-dma-run.h"

#include <CLI/CLI.hpp>

namespace ns3::rdma
{

/// Adds "kv-dma" with its options. @param request outlives the command line @return the command
CLI::App* AddKvDmaCommand(CLI::App& app, KvDmaRequest& request);

/// Measures DMA and prints the results as JSON. @return an ExitStatus
int KvDmaCommand(const KvDmaRequest& request);

} // namespace ns3::rdma

#endif // RDMA_KV_DMA_COMMAND_H
