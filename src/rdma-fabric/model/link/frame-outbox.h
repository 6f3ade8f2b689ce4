// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FRAME_OUTBOX_H
#define RDMA_FRAME_OUTBOX_H

#include "ns3/frame-parcel.h"

#include <algorithm>
#include <vector>

namespace ns3::rdma
{

/**
 * @ingroup rdma-link
 * @brief Frames that leave for parts of the fabric that other processes (ranks) simulate.
 *
 * A port at the border puts its frames here instead of into the calendar.  They stand in the order
 * in which they were sent, so that the frames of one port arrive in order; how they are carried,
 * and when, is not the fabric's business.
 */
class FrameOutbox
{
  public:
    /// @param headBytes kept free at the start of each rank's bytes, for their transport
    FrameOutbox(uint32_t ranks, std::size_t headBytes)
        : m_buffers(ranks),
          m_headBytes(headBytes)
    {
        Clear();
    }

    /// Takes a frame over: it leaves its pool.
    void Add(uint32_t rank, FramePool& pool, const FrameArrival& arrival)
    {
        PackFrame(pool, arrival, m_buffers[rank]);
        pool.Free(arrival.frame);
        m_earliest = std::min(m_earliest, arrival.when);
    }

    /// @return the head and the frames for each rank.
    std::vector<ByteBuffer>& GetBuffers()
    {
        return m_buffers;
    }

    /// @return when the first of the frames arrives; TICK_NEVER if there is none.
    Tick GetEarliest() const
    {
        return m_earliest;
    }

    /// Forgets all frames: they have been carried away.
    void Clear()
    {
        for (ByteBuffer& buffer : m_buffers)
        {
            buffer.Clear();
            buffer.Extend(m_headBytes);
        }
        m_earliest = TICK_NEVER;
    }

  private:
    std::vector<ByteBuffer> m_buffers; ///< By rank.
    std::size_t m_headBytes;
    Tick m_earliest{TICK_NEVER};
};

} // namespace ns3::rdma

#endif // RDMA_FRAME_OUTBOX_H
