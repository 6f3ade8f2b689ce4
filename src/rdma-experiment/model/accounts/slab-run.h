// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SLAB_RUN_H
#define RDMA_SLAB_RUN_H

#include "ns3/host-memory.h"
#include "ns3/random-stream.h"
#include "ns3/slab-allocator.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ns3::rdma
{

/// What "rocelab kv-slabs" is asked for.
struct SlabRunRequest
{
    std::string pattern;         ///< allocate, free, reuse, churn, large-to-small, small-to-large.
    std::string memory{"64MiB"}; ///< Of slabs and a small hash index.
    uint32_t slabBytes{32};      ///< Of the slabs that are counted, 32 to 256.
    uint32_t batchEntries{16};   ///< Of one DMA.
    std::string mergeMethod{"radix-sort"}; ///< Or "bitmap".
    uint64_t seed{1};
};

/// What "rocelab kv-slabs merge" is asked for.
struct SlabMergeRequest
{
    uint64_t slots{1 << 22}; ///< Free slabs of 32 bytes, side by side, in random order.
    std::string mergeMethod{"radix-sort"};
    uint32_t threads{1};
    uint64_t seed{1};
};

/// @return the method. @throws InputError if there is none of that name
SlabMergeMethod ParseMergeMethod(const std::string& name);

/**
 * @ingroup rdma-kv
 * @brief Counts what KV-Direct's slab allocator costs under a pattern of requests (section 5.1.2).
 */
class SlabRun
{
  public:
    /// @throws InputError if the request makes no sense
    explicit SlabRun(const SlabRunRequest& request);

    nlohmann::ordered_json Run();

  private:
    void Allocate(uint32_t type, uint64_t most);
    void FreeAll(uint32_t type);
    void Churn(uint32_t type);
    void Prepare(uint32_t type);
    void Measure(uint32_t type);
    nlohmann::ordered_json Describe(const SlabAllocatorStats& before,
                                    const SlabDaemonStats& daemonBefore) const;

    SlabRunRequest m_request;
    KvStoreSettings m_settings;
    HostMemory m_memory;
    SlabAllocator m_allocator;
    RandomStream m_random;
    std::vector<uint32_t> m_slabs; ///< In use.
    KvAccesses m_accesses;
};

/// Times the merging of free slabs on this machine. @throws InputError
nlohmann::ordered_json RunSlabMerge(const SlabMergeRequest& request);

} // namespace ns3::rdma

#endif // RDMA_SLAB_RUN_H
