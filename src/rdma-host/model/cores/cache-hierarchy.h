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
 * @brief Sizes and latencies of a core's caches: how long it takes to read a line of data of which
 * a core goes round.
 *
 * Rings of work requests and completions, and threads that are scheduled round-robin, return to a
 * line when all others have been touched.  A cache with LRU replacement keeps nothing of a round
 * that is larger than itself, so a line comes from the first level that holds the whole round.  The
 * first two levels are a core's own; the third is shared by a few cores, whose rounds it must hold
 * together.
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
     * @brief How long a core waits for one line.
     * @param coreBytes of the round of data of that core
     * @param sharedBytes of the rounds of all cores below the same third level; at least coreBytes
     * @param isRemote whether memory is that of another NUMA node
     */
    Tick GetLineTime(uint64_t coreBytes, uint64_t sharedBytes, bool isRemote) const;

    /// @return cores that share a cache of the third level.
    uint32_t GetCoresPerL3() const
    {
        return m_coresPerL3;
    }

    /// @return lines that so many bytes are, rounded up.
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
