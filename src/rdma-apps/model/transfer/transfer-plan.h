// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_TRANSFER_PLAN_H
#define RDMA_TRANSFER_PLAN_H

#include "ns3/flow-size-cdf.h"
#include "ns3/traffic-times.h"
#include "ns3/work-request.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-transfer
 * @brief Transfers of KV caches between a pool that prefills and a pool that decodes.
 *
 * The cache of a prompt is paged: each layer has blocks of a number of tokens, of which the last is
 * moved whole, too.  A block is moved in slices, each a work request.  Defaults of slices, queue
 * pairs and work requests: Mooncake's (github.com/kvcache-ai/Mooncake, issue 1668); of a block:
 * vLLM's (vllm/config/cache.py, DEFAULT_BLOCK_SIZE).
 */
struct TransferPlan
{
    std::vector<uint32_t> clients; ///< Node ids of the pool that posts work requests.
    std::vector<uint32_t> servers; ///< Node ids of the other pool.
    WrOpcode opcode{WrOpcode::RDMA_WRITE};
    TrafficTimes times;
    uint64_t seed{1};
    double requestsPerSecond{0}; ///< Of each client; 0: a closed loop.
    uint32_t concurrent{1};      ///< Requests of a client in a closed loop.

    uint64_t promptTokens{0}; ///< Of each request, unless there is a distribution.
    std::shared_ptr<const FlowSizeCdf> prompts; ///< Of tokens; null: none.
    uint32_t layers{1};
    uint64_t tokenBytes{0}; ///< Of a token in a layer.
    uint32_t blockTokens{16};
    Tick layerTime{0}; ///< Layer l, from 0, is ready l + 1 such times after the arrival.

    uint32_t sliceBytes{65536};
    uint32_t queuePairs{2};      ///< Between a client and a server.
    uint32_t outstanding{256};   ///< Work requests of a queue pair.
    Tick postTime{0};            ///< Of the client's core, for each work request.
    std::optional<Tick> renewal; ///< Time in which failed queue pairs are made again; unset: never.

    uint64_t GetBlockBytes() const
    {
        return blockTokens * tokenBytes;
    }

    /// @return blocks of a layer.
    uint64_t CountBlocks(uint64_t tokens) const
    {
        return (tokens + blockTokens - 1) / blockTokens;
    }

    /// @return work requests of a block.
    uint64_t CountSlices() const
    {
        return (GetBlockBytes() + sliceBytes - 1) / sliceBytes;
    }

    /// @return of a request with a number of tokens, in all layers.
    uint64_t GetBytes(uint64_t tokens) const
    {
        return CountBlocks(tokens) * GetBlockBytes() * layers;
    }
};

} // namespace ns3::rdma

#endif // RDMA_TRANSFER_PLAN_H
