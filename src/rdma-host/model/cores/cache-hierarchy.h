// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_CACHE_HIERARCHY_H
#define RDMA_CACHE_HIERARCHY_H

#include "ns3/object.h"
#include "ns3/tick.h"

#include <cstdint>

namespace ns3::rdma
{

/**
 * @ingroup rdma-host
 * @brief Sizes and latencies of a core's caches: access time of a line of data that the core
 * accesses cyclically.
 *
 * Rings of requests and completions, and round-robin threads, access all other lines before the
 * same line again.  An LRU cache keeps no line of a cycle that is larger than the cache.  The first
 * level that holds the whole cycle therefore supplies the line.  The first two levels are private;
 * a few cores share the third, which must hold the cycles of all.
 *
 * Not modelled: prefetching, replacement other than LRU, writes, translation, coherence between
 * cores, bandwidth of memory.
 */
class CacheHierarchy : public Object
{
  public:
    static constexpr uint32_t LINE_BYTES{64};

    static TypeId GetTypeId();

    /**
     * @param coreBytes of the core's cycle of data
     * @param sharedBytes of the cycles of all cores below the same third level; at least coreBytes
     * @param isRemote whether the memory is on another NUMA node
     * @return the access time of one line
     */
    Tick GetLineTime(uint64_t coreBytes, uint64_t sharedBytes, bool isRemote) const;

    /// @return cores that share a cache of the third level.
    uint32_t GetCoresPerL3() const
    {
        return m_coresPerL3;
    }

    /// @return the number of lines that hold the bytes.
    static constexpr uint64_t CountLines(uint64_t bytes)
    {
        return (bytes + LINE_BYTES - 1) / LINE_BYTES;
    }

  private:
    uint64_t m_l1Bytes{0};
    uint64_t m_l2Bytes{0};
    uint64_t m_l3Bytes{0};
    uint32_t m_coresPerL3{1};
    Time m_l1Time;
    Time m_l2Time;
    Time m_l3Time;
    Time m_memoryTime;
    Time m_remoteTime;
};

} // namespace ns3::rdma

#endif // RDMA_CACHE_HIERARCHY_H
