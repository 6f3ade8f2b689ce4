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
 *
 * Frames of the pool that were sent are kept for those that arrive from other parts, some of the
 * same number: their memory is prefetched, because those of a window are more than a cache holds.
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

    /// Appends a frame, and keeps its place in the pool.
    void Add(uint32_t rank, FramePool& pool, const FrameArrival& arrival)
    {
        const Frame& frame = pool[arrival.frame];
        const bool isPause = (frame.flags & frame_flag::MAC_CONTROL) && frame.payloadBytes > 0;
        m_hasWork = m_hasWork || !isPause;
        PackFrame(pool, arrival, m_buffers[rank]);
        pool.Reset(arrival.frame);
        m_places.push_back(arrival.frame);
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

    /// @return whether any frame is not a pause.
    bool HasWork() const
    {
        return m_hasWork;
    }

    /// @return a frame of the pool whose fields are unset, for a frame that has arrived.
    FrameIndex TakePlace(FramePool& pool)
    {
        if (m_places.empty())
        {
            return pool.Allocate();
        }
        const FrameIndex place = m_places.back();
        m_places.pop_back();
        if (m_places.size() >= AHEAD)
        {
            __builtin_prefetch(&pool[m_places[m_places.size() - AHEAD]], 1);
        }
        return place;
    }

    /// Frees the places that are kept, after the frames of a window have arrived.
    void FreePlaces(FramePool& pool)
    {
        for (const FrameIndex place : m_places)
        {
            pool.Free(place);
        }
        m_places.clear();
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
        m_hasWork = false;
    }

  private:
    static constexpr std::size_t AHEAD{8}; ///< Places that are prefetched.

    std::vector<ByteBuffer> m_buffers; ///< By rank.
    std::vector<FrameIndex> m_places;  ///< Of frames that were sent.
    std::size_t m_headBytes;
    Tick m_earliest{TICK_NEVER};
    bool m_hasWork{false};
};

} // namespace ns3::rdma

#endif // RDMA_FRAME_OUTBOX_H
