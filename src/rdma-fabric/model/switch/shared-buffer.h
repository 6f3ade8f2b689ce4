// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_SHARED_BUFFER_H
#define RDMA_SHARED_BUFFER_H

#include "ns3/assert.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/// What one ingress queue (port and priority) may use of a SharedBuffer.
struct BufferQuota
{
    uint64_t reserveBytes{0}; ///< Its own, before it takes shared memory.
    uint64_t headroomBytes{
        0};          ///< Its own, after shared memory is refused: for what PFC cannot stop.
    double alpha{1}; ///< Share of the free shared memory that it may hold; above 0.
};

/**
 * @ingroup rdma-switch
 * @brief Memory of a switch, accounted to the ingress queue that each frame came through.
 *
 * A frame is charged to its queue's reserve, then to shared memory while the queue's share stays
 * within alpha times what is free (dynamic threshold, Choudhury and Hahne 1998), then to its
 * headroom, else refused.  The rules, and the numbers that FabricSwitch gives by default, are those
 * of the switch of the HPCC simulator family, as the SRNIC authors configured it (docs/switch.md).
 *
 * Not modelled: egress limits, cells (memory is counted in bytes), a limit per pool of priorities.
 */
class SharedBuffer
{
  public:
    static constexpr uint64_t MAX_SET_ASIDE{UINT32_MAX}; ///< Bytes of one queue, of each kind.

    /// @param totalBytes of memory; @param quotas by queue number. Reserves and headrooms must fit.
    SharedBuffer(uint64_t totalBytes, const std::vector<BufferQuota>& quotas);

    /// @return whether a frame of that size would be taken in.
    bool HasRoom(uint32_t queue, uint32_t bytes) const
    {
        // Mostly the queue need not be looked at, which may not be in the cache.
        return IsNearlyEmpty(m_used + bytes) || HasRoomInQueue(m_queues[queue], bytes);
    }

    /// Takes a frame in. Only if HasRoom().
    void Add(uint32_t number, uint32_t bytes)
    {
        Queue& queue = m_queues[number];
        m_used += bytes;
        if (IsNearlyEmpty(m_used) || FitsPool(queue, bytes))
        {
            const uint64_t before = queue.GetShared();
            queue.pooled += bytes;
            m_sharedUsed += queue.GetShared() - before;
            return;
        }
        queue.headroom += bytes;
        NS_ASSERT_MSG(queue.headroom <= queue.headroomLimit, "a frame was added without room");
    }

    /// A frame of the queue has left.
    void Remove(uint32_t number, uint32_t bytes)
    {
        Queue& queue = m_queues[number];
        m_used -= bytes;
        // Headroom empties first: it must be free again before the sender may go on.
        const uint64_t fromHeadroom = std::min<uint64_t>(queue.headroom, bytes);
        queue.headroom -= fromHeadroom;
        const uint64_t before = queue.GetShared();
        queue.pooled -= bytes - fromHeadroom;
        m_sharedUsed -= before - queue.GetShared();
    }

    /// @return whether the queue has more than its share, so that its sender should pause.
    bool IsOverThreshold(uint32_t queue) const;

    /// @return whether the queue is so far below its share that its sender may go on.
    bool IsBelowThreshold(uint32_t queue, uint32_t marginBytes) const;

    /// @return bytes held for the queue, headroom included.
    uint64_t GetUsed(uint32_t queue) const;

    /// @return bytes held in all.
    uint64_t GetTotalUsed() const;

  private:
    /// Half a cache line.
    struct alignas(32) Queue
    {
        uint64_t pooled{0};   ///< In reserve and shared memory.
        uint64_t headroom{0}; ///< In headroom.
        uint32_t reserveLimit{0};
        uint32_t headroomLimit{0};
        double alpha{1};

        uint64_t GetShared() const
        {
            return pooled > reserveLimit ? pooled - reserveLimit : 0;
        }
    };

    /// @return whether so little is held that every queue is within its share, whichever it is.
    bool IsNearlyEmpty(uint64_t bytes) const
    {
        return bytes <= m_nearlyEmpty;
    }

    bool HasRoomInQueue(const Queue& queue, uint32_t bytes) const;
    uint64_t GetThreshold(const Queue& queue) const;
    /// @return whether the frame fits into reserve and shared memory.
    bool FitsPool(const Queue& queue, uint32_t bytes) const;

    std::vector<Queue> m_queues;
    uint64_t m_sharedBytes;    ///< Memory that is neither reserve nor headroom.
    uint64_t m_nearlyEmpty{0}; ///< Up to here, what is held is less than any queue's share.
    uint64_t m_sharedUsed{0};
    uint64_t m_used{0};
};

} // namespace ns3::rdma

#endif // RDMA_SHARED_BUFFER_H
