// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_PORT_QUEUES_H
#define RDMA_PORT_QUEUES_H

#include "ns3/assert.h"
#include "ns3/frame-pool.h"

#include <array>

namespace ns3::rdma
{

/**
 * @ingroup rdma-link
 * @brief The frames queued at a port: one list per priority, and one for MAC control.
 *
 * The lists are linked through the frames.
 */
class PortQueues
{
  public:
    static constexpr uint32_t CONTROL{PRIORITIES}; ///< Queue of MAC control frames.

    /// @return a bit per queue that holds frames.
    uint32_t GetWaiting() const
    {
        return m_waiting;
    }

    /// @return the bytes of all frames in a queue.
    uint32_t GetBytes(uint32_t queue) const
    {
        return m_queues[queue].bytes;
    }

    /// @return the bytes of all queued frames, MAC control excluded.
    uint32_t GetTotalBytes() const
    {
        uint32_t bytes = 0;
        constexpr uint32_t DATA{(1U << PRIORITIES) - 1};
        for (uint32_t waiting = m_waiting & DATA; waiting != 0; waiting &= waiting - 1)
        {
            bytes += m_queues[__builtin_ctz(waiting)].bytes;
        }
        return bytes;
    }

    /// @return the oldest frame of a queue. Only if there is one.
    FrameIndex GetHead(uint32_t queue) const
    {
        return m_queues[queue].head;
    }

    /// @return the newest frame of a queue. Only if there is one.
    FrameIndex GetTail(uint32_t queue) const
    {
        return m_queues[queue].tail;
    }

    /// @param frame that the pool has at this index
    void Append(FramePool& pool, uint32_t number, Frame& frame, FrameIndex index)
    {
        Queue& queue = m_queues[number];
        NS_ASSERT_MSG(frame.wireBytes > 0, "a queue without bytes counts as empty");
        frame.next = NO_FRAME;
        (queue.bytes == 0 ? queue.head : pool[queue.tail].next) = index;
        queue.tail = index;
        queue.bytes += frame.wireBytes;
        m_waiting |= static_cast<uint16_t>(1U << number);
    }

    /// Removes the oldest frame of a queue. Only if there is one.
    FrameIndex Take(FramePool& pool, uint32_t number)
    {
        Queue& queue = m_queues[number];
        const FrameIndex index = queue.head;
        const Frame& frame = pool[index];
        queue.head = frame.next;
        queue.bytes -= frame.wireBytes;
        const bool isEmpty = queue.bytes == 0;
        m_waiting &= static_cast<uint16_t>(~(uint32_t{isEmpty} << number));
        return index;
    }

    /**
     * @brief Puts a frame in the place of the newest frame of a queue. Only if there is one.
     *
     * The frames are exchanged in the pool, so that the list keeps its indices: the index of the
     * given frame holds the replaced frame afterwards.
     * @return the index that holds the given frame now.
     */
    FrameIndex ReplaceNewest(FramePool& pool, uint32_t number, FrameIndex index)
    {
        Queue& queue = m_queues[number];
        queue.bytes += pool[index].wireBytes;
        queue.bytes -= pool[queue.tail].wireBytes;
        pool.Exchange(index, queue.tail);
        pool[queue.tail].next = NO_FRAME;
        return queue.tail;
    }

  private:
    struct Queue
    {
        FrameIndex head{NO_FRAME}; ///< head and tail are valid only if bytes is above 0.
        FrameIndex tail{NO_FRAME};
        uint32_t bytes{0};
    };

    uint16_t m_waiting{0};
    std::array<Queue, PRIORITIES + 1> m_queues;
};

} // namespace ns3::rdma

#endif // RDMA_PORT_QUEUES_H
