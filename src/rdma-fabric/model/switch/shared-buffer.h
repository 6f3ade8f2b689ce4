// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SHARED_BUFFER_H
#define RDMA_SHARED_BUFFER_H

#include "ns3/assert.h"
#include "ns3/frame.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/// Limits of one ingress queue (port and priority) in a SharedBuffer.
struct BufferQuota
{
    uint64_t reserveBytes{0}; ///< Of this queue alone; used before shared memory.
    /// Of this queue alone; used when shared memory is refused: for frames that arrive after a
    /// pause was sent.
    uint64_t headroomBytes{0};
    double alpha{1};  ///< Share of its pool's free memory that it may hold; above 0.
    uint32_t pool{0}; ///< Of shared memory.
};

/**
 * @ingroup rdma-switch
 * @brief Memory of a switch, charged to the ingress queue of each frame.
 *
 * A frame is charged to its queue's reserve, then to the shared memory of the queue's pool while
 * the queue's share stays within alpha times the free memory of the pool (dynamic threshold,
 * Choudhury and Hahne 1998), then to its headroom.  Otherwise it is refused.  The rules, and the
 * defaults of FabricSwitch, are those of the switch of the HPCC simulator family, as the SRNIC
 * authors configured it (docs/models/switch.md).  Pools are those of SONiC's BUFFER_POOL table
 * (sonic-net/SONiC, doc/qos/dynamically-headroom-calculation.md; saibuffer.h of SAI); the size of a
 * pool is its shared memory, without reserve and headroom.
 *
 * Not modelled: cells (memory is counted in bytes), a headroom pool that queues share.
 */
class SharedBuffer
{
  public:
    /// Largest reserve and largest headroom of a queue, bytes.
    static constexpr uint64_t MAX_SET_ASIDE{UINT32_MAX};

    /// Pool 0 and one for each class.
    static constexpr uint32_t MAX_POOLS{PRIORITIES + 1};

    /// @param totalBytes of memory
    /// @param quotas by queue number. Reserves, headrooms and pools must fit into the memory.
    /// @param poolBytes of the pools from 1 on; pool 0 has the rest of the memory
    SharedBuffer(uint64_t totalBytes,
                 const std::vector<BufferQuota>& quotas,
                 const std::vector<uint64_t>& poolBytes = {});

    /// @return whether so few bytes are in use that a frame of this size would be admitted to any
    /// queue. If false, it may have room, too.
    bool HasAmpleRoom(uint32_t bytes) const
    {
        return IsNearlyEmpty(m_used + bytes);
    }

    /// @return whether a frame of this size would be admitted.
    bool HasRoom(uint32_t queue, uint32_t bytes) const
    {
        // In most cases this avoids an access to the queue, which may not be in the cache.
        return HasAmpleRoom(bytes) || HasRoomInQueue(m_queues[queue], bytes);
    }

    /// Charges a frame. Only if HasRoom().
    void Add(uint32_t number, uint32_t bytes)
    {
        Queue& queue = m_queues[number];
        m_used += bytes;
        if (IsNearlyEmpty(m_used) || FitsPool(queue, bytes))
        {
            const uint64_t before = queue.GetSharedEnd();
            queue.pooled += bytes;
            m_pools[queue.pool].used += queue.GetSharedEnd() - before;
            return;
        }
        queue.headroom += bytes;
        NS_ASSERT_MSG(queue.headroom <= queue.headroomLimit, "a frame was added without room");
    }

    /// Releases a frame that has left.
    void Remove(uint32_t number, uint32_t bytes)
    {
        Queue& queue = m_queues[number];
        m_used -= bytes;
        // Headroom is released first: it must be free before the sender is resumed.
        const uint32_t fromHeadroom = std::min(queue.headroom, bytes);
        queue.headroom -= fromHeadroom;
        const uint64_t before = queue.GetSharedEnd();
        queue.pooled -= bytes - fromHeadroom;
        m_pools[queue.pool].used -= before - queue.GetSharedEnd();
    }

    /// @return whether the queue exceeds its share, so that its sender should be paused.
    bool IsOverThreshold(uint32_t queue) const
    {
        return m_queues[queue].headroom > 0 ||
               (!IsNearlyEmpty(m_used) && IsAboveShare(m_queues[queue]));
    }

    /// @return whether the queue is below its share by the margin, so that its sender may be
    /// resumed.
    bool IsBelowThreshold(uint32_t queue, uint32_t marginBytes) const;

    /// @return the free shared memory of the queue's pool.
    uint64_t GetFree(uint32_t queue) const
    {
        const Pool& pool = m_pools[m_queues[queue].pool];
        return pool.bytes - pool.used;
    }

    /// @return the bytes charged to the queue, headroom included.
    uint64_t GetUsed(uint32_t queue) const;

    /// @return the bytes charged to all queues.
    uint64_t GetTotalUsed() const;

  private:
    /// Half a cache line.
    struct alignas(32) Queue
    {
        uint64_t pooled{0};   ///< Bytes in reserve and shared memory.
        uint32_t headroom{0}; ///< Bytes in headroom.
        uint32_t pool{0};
        uint32_t reserveLimit{0};
        uint32_t headroomLimit{0};
        double alpha{1};

        /// @return the bytes in shared memory, plus the reserve.
        uint64_t GetSharedEnd() const
        {
            return std::max<uint64_t>(pooled, reserveLimit);
        }

        uint64_t GetShared() const
        {
            return GetSharedEnd() - reserveLimit;
        }
    };

    struct Pool
    {
        uint64_t bytes{0}; ///< Neither reserve nor headroom.
        uint64_t used{0};
    };

    /// @return whether so few bytes are in use that every queue is within its share.
    bool IsNearlyEmpty(uint64_t bytes) const
    {
        return bytes <= m_nearlyEmpty;
    }

    bool HasRoomInQueue(const Queue& queue, uint32_t bytes) const;
    uint64_t GetThreshold(const Queue& queue) const;
    bool IsAboveShare(const Queue& queue) const;
    /// @return whether the frame fits into reserve and shared memory.
    bool FitsPool(const Queue& queue, uint32_t bytes) const;

    std::vector<Queue> m_queues;
    std::array<Pool, MAX_POOLS> m_pools;
    /// Up to this number of bytes in use, no queue can exceed its share.
    uint64_t m_nearlyEmpty{0};
    uint64_t m_used{0};
};

} // namespace ns3::rdma

#endif // RDMA_SHARED_BUFFER_H
