// SPDX-License-Identifier: GPL-2.0-only
#ifndef RDMA_LEAVING_FRAMES_H
#define RDMA_LEAVING_FRAMES_H

#include "ns3/frame.h"

#include <memory>

namespace ns3::rdma
{

/// A frame on its way through the transmit pipeline.
struct LeavingFrame
{
    FrameIndex index;
    uint32_t wireBytes; ///< Of the frame.
    Tick readyAt;       ///< When its first byte is at the port.
};

/**
 * @ingroup rdma-nic
 * @brief The frames in the transmit pipeline of a chip, first in, first out.
 */
class LeavingFrames
{
  public:
    bool IsEmpty() const
    {
        return m_first == m_end;
    }

    /// @return the oldest frame. Only if there is one.
    const LeavingFrame& GetFirst() const
    {
        return m_frames[m_first & m_mask];
    }

    /// Removes the oldest frame. Only if there is one.
    void Pop()
    {
        ++m_first;
    }

    void Push(const LeavingFrame& frame)
    {
        if (m_end - m_first > m_mask)
        {
            Grow();
        }
        m_frames[m_end++ & m_mask] = frame;
    }

  private:
    static constexpr uint32_t INITIAL_SIZE{16}; ///< A power of two.

    void Grow();

    std::unique_ptr<LeavingFrame[]> m_frames{new LeavingFrame[INITIAL_SIZE]};
    uint32_t m_mask{INITIAL_SIZE - 1}; ///< Size, a power of two, minus 1.
    uint32_t m_first{0};               ///< Number of the oldest frame, modulo 2^32.
    uint32_t m_end{0};                 ///< Number of the next frame, modulo 2^32.
};

} // namespace ns3::rdma

#endif // RDMA_LEAVING_FRAMES_H
