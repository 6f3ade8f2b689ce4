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
 * Address space for MAX_FRAMES is reserved once, so that a frame never moves, and its address is
 * computed by one addition; the system allocates memory on first use.  Free frames are a stack: the
 * frame freed last is probably still in the cache.  Details are in a separate space, so that a
 * frame without detail uses no memory for it.
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

    /// @return a frame whose fields are unset. Throws when all frames are in use.
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

    /// Unsets the fields of a frame, and frees its detail. It stays in use.
    void Reset(FrameIndex index)
    {
        RemoveDetail(index);
    }

    /// Adds an empty detail to a frame. Only if the frame has none.
    FrameDetail& AddDetail(FrameIndex index)
    {
        m_frames[index].flags |= frame_flag::DETAILED;
        return m_details[index] = FrameDetail{};
    }

    /// @param frame of this pool
    /// @return its detail; null if it has none.
    const FrameDetail* FindDetail(const Frame& frame) const
    {
        return frame.flags & frame_flag::DETAILED ? &m_details[&frame - m_frames] : nullptr;
    }

    /// Gives a cargo to a frame, and a detail if the frame has none.
    /// @return the cargo.
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

    /// Adds an empty INT stack to a frame, and a detail if the frame has none.
    void AddIntStack(FrameIndex index, uint32_t capacity);

    /// Moves a frame's INT stack, if it has one, to the answer. Switches add nothing to it there.
    /// @param from a frame of this pool
    /// @param to a frame without a stack
    void MoveIntStack(const Frame& from, FrameIndex to);

    /// @param frame of this pool; gets a detail if it has none
    /// @return the word that load balancers pass on with a frame. It takes no bytes on the wire.
    uint32_t& GetRouteTag(Frame& frame);

    /// Removes a frame's cargo, if it has one.
    void RemoveCargo(const Frame& frame);

    /// @return the time at which a frame reached a timed NIC, ps modulo 2^32. Only the NIC uses it.
    uint32_t& GetArrivalTime(FrameIndex index)
    {
        return m_arrivalTimes[index];
    }

    /// @return a copy of a frame with its detail and cargo.
    FrameIndex Copy(FrameIndex index);

    /// Exchanges two frames with their details: each has the other's index afterwards.
    void Exchange(FrameIndex a, FrameIndex b);

    /// @return the address of frame 0.
    const Frame* GetBase() const
    {
        return m_frames;
    }

    /// @return the number of frames allocated and not yet freed.
    uint32_t GetInUse() const
    {
        return m_inUse;
    }

  private:
    FrameIndex Grow();
    void RemoveDetail(FrameIndex index);

    Frame* m_frames;
    FrameDetail* m_details;   ///< By frame; valid only if the frame has the flag DETAILED.
    uint32_t* m_arrivalTimes; ///< By frame.
    FrameIndex m_free{NO_FRAME};
    FrameIndex m_grown{0}; ///< Frames handed out at least once.
    uint32_t m_inUse{0};
};

} // namespace ns3::rdma

#endif // RDMA_FRAME_POOL_H
