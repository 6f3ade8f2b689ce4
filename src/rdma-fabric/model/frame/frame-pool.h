// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_FRAME_POOL_H
#define RDMA_FRAME_POOL_H

#include "ns3/frame.h"

#include <cstddef>

namespace ns3::rdma
{

/**
 * @ingroup rdma-frame
 * @brief All frames of a simulation, addressed by 32-bit index.
 *
 * Address space for MAX_FRAMES is reserved once, so that a frame never moves and index to address
 * is one addition; the system gives memory only to the part that was ever in use.  Free frames are
 * a stack: the one freed last is still in the cache.  Details lie in a space of their own, so that
 * frames without one cost nothing for it.
 */
class FramePool
{
  public:
    /// 4 GiB of frames: more than all buffers and wires of 4096 servers hold.
    static constexpr FrameIndex MAX_FRAMES{1U << 26};

    FramePool();
    ~FramePool();
    FramePool(const FramePool&) = delete;
    FramePool& operator=(const FramePool&) = delete;

    Frame& operator[](FrameIndex index)
    {
        return m_frames[index];
    }

    const Frame& operator[](FrameIndex index) const
    {
        return m_frames[index];
    }

    /// @return a frame whose fields are unset. Throws when MAX_FRAMES are in use.
    FrameIndex Allocate()
    {
        ++m_inUse;
        if (m_free != NO_FRAME)
        {
            const FrameIndex index = m_free;
            m_free = m_frames[index].next;
            return index;
        }
        return Grow();
    }

    void Free(FrameIndex index)
    {
        --m_inUse;
        if (m_frames[index].flags & frame_flag::DETAILED)
        {
            RemoveDetail(index);
        }
        m_frames[index].next = m_free;
        m_free = index;
    }

    /// Gives a frame an empty detail. Only if it has none.
    FrameDetail& AddDetail(FrameIndex index)
    {
        m_frames[index].flags |= frame_flag::DETAILED;
        return m_details[index] = FrameDetail{};
    }

    /// @return null if the frame has none. @param frame of this pool
    const FrameDetail* FindDetail(const Frame& frame) const
    {
        return frame.flags & frame_flag::DETAILED ? &m_details[&frame - m_frames] : nullptr;
    }

    /// Puts a cargo into a frame, with a detail if it has none. @return the cargo.
    template <typename Cargo>
    Cargo& SetCargo(FrameIndex index, std::unique_ptr<Cargo> cargo)
    {
        FrameDetail& detail =
            m_frames[index].flags & frame_flag::DETAILED ? m_details[index] : AddDetail(index);
        delete detail.cargo;
        Cargo* kept = cargo.release();
        detail.cargo = kept;
        return *kept;
    }

    /// Gives a frame an empty stack for its path, with a detail if it has none.
    void AddIntStack(FrameIndex index, uint32_t capacity);

    /// Moves a frame's stack, if it has one, to its answer, on whose way nothing is added.
    /// @param from of this pool; @param to a frame without a stack
    void MoveIntStack(const Frame& from, FrameIndex to);

    /// @return what the load balancers of a fabric pass on with a frame, without bytes of its own
    /// on the wire; a detail is added if the frame has none. @param frame of this pool
    uint32_t& GetRouteTag(Frame& frame);

    /// @return a place that is no frame's: its first word is as that of a frame that the engine
    /// looks at (FabricEngine::SetArgumentMemory()).
    FrameIndex AddBookmark()
    {
        return MAX_FRAMES - ++m_bookmarks;
    }

    /// Removes a frame's cargo, if it has one.
    void RemoveCargo(const Frame& frame);

    /// @return a place for the time at which a frame reached a timed NIC, ps modulo 2^32: the NIC's
    /// alone.
    uint32_t& GetArrivalTime(FrameIndex index)
    {
        return m_arrivalTimes[index];
    }

    /// @return a copy of a frame with its detail and cargo.
    FrameIndex Copy(FrameIndex index);

    /// @return where frame 0 is.
    const Frame* GetBase() const
    {
        return m_frames;
    }

    /// @return frames allocated and not yet freed.
    uint32_t GetInUse() const
    {
        return m_inUse;
    }

  private:
    FrameIndex Grow();
    void RemoveDetail(FrameIndex index);

    Frame* m_frames;
    FrameDetail* m_details;   ///< By frame; meaningless unless the frame's flag says so.
    uint32_t* m_arrivalTimes; ///< By frame.
    FrameIndex m_free{NO_FRAME};
    FrameIndex m_grown{0}; ///< Frames handed out at least once.
    uint32_t m_inUse{0};
    uint32_t m_bookmarks{0}; ///< At the end of the space.
};

} // namespace ns3::rdma

#endif // RDMA_FRAME_POOL_H
