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
 * @brief Frames sent to parts of the fabric that other processes (ranks) simulate.
 *
 * A port at the border adds its frames to the outbox instead of scheduling their arrival.  The
 * outbox keeps the order of sending, so that the frames of one port arrive in order.  A module
 * above the fabric transports them.
 */
class FrameOutbox
{
  public:
    /// @param headBytes bytes reserved at the start of each rank's buffer, for the transport
    FrameOutbox(uint32_t ranks, std::size_t headBytes)
        : m_buffers(ranks),
          m_headBytes(headBytes)
    {
        Clear();
    }

    /// Appends a frame and removes it from its pool.
    void Add(uint32_t rank, FramePool& pool, const FrameArrival& arrival)
    {
        PackFrame(pool, arrival, m_buffers[rank]);
        pool.Free(arrival.frame);
        m_earliest = std::min(m_earliest, arrival.when);
    }

    /// @return by rank: the reserved bytes, and the frames behind them.
    std::vector<ByteBuffer>& GetBuffers()
    {
        return m_buffers;
    }

    /// @return the earliest arrival of a frame; TICK_NEVER if there is none.
    Tick GetEarliest() const
    {
        return m_earliest;
    }

    /// Removes all frames, after they have been transported.
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
